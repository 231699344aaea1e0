// Checks the certificate of every TLS server that ffmpeg connects to. ffmpeg's own option (`tls_verify`) applies only
// to the first connection of a run: the segments of an HLS playlist, and the connections of an RTMP login after the
// first one, are not checked, and its message has no cause. This module replaces functions of GnuTLS, with which the
// distribution builds ffmpeg, and ends the program at a certificate that is not valid, with the cause on stderr.
//
// With another TLS library these functions are not called. ffmpeg then checks the first connection itself, because the
// engine sets the option as well.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "records.h"

// Declarations and constants of GnuTLS (gnutls/gnutls.h), whose header is not needed to build this library.
struct datum {
  unsigned char *data;
  unsigned int size;
};
#define E_INTERNAL_ERROR (-59)
#define X509_FMT_PEM 1
#define CERT_NOT_ACTIVATED (1u << 9)
#define CERT_EXPIRED (1u << 10)
#define CERT_SIGNER_NOT_FOUND (1u << 6)
#define CERT_UNEXPECTED_OWNER (1u << 14)

/** Finds a function of GnuTLS. Returns NULL if that is not loaded. */
static void *find_function(const char *name) {
  return dlsym(RTLD_NEXT, name);
}

/**
 * Remembers the name of the server in the session. ffmpeg does not use the pointer of the session itself, and it names
 * no server that it connects to by address.
 */
int gnutls_server_name_set(void *session, int type, const void *name, size_t length) {
  int (*original)(void *, int, const void *, size_t) = find_function("gnutls_server_name_set");
  void (*set_pointer)(void *, void *) = find_function("gnutls_session_set_ptr");
  if (!original || !set_pointer) return E_INTERNAL_ERROR;
  if (find_record('t', 1)) set_pointer(session, strndup(name, length));
  return original(session, type, name, length);
}

/** Releases the name of the server. */
void gnutls_deinit(void *session) {
  void (*original)(void *) = find_function("gnutls_deinit");
  void *(*get_pointer)(void *) = find_function("gnutls_session_get_ptr");
  if (find_record('t', 1) && get_pointer) free(get_pointer(session));
  if (original) original(session);
}

/** Trusts the certificates of the hub's record instead of those of the system, if there are any. */
int gnutls_certificate_set_x509_system_trust(void *credentials) {
  int (*original)(void *) = find_function("gnutls_certificate_set_x509_system_trust");
  int (*trust)(void *, const struct datum *, int) = find_function("gnutls_certificate_set_x509_trust_mem");
  char *record = find_record('c', 1);
  if (!original || !trust) return E_INTERNAL_ERROR;
  if (!record) return original(credentials);
  struct datum certificates = {(unsigned char *)record, (unsigned int)strlen(record)};
  return trust(credentials, &certificates, X509_FMT_PEM);
}

/** The cause in the message; the words are those of the engine (`engine/process/failure.ts`). */
static const char *describe_status(unsigned int status) {
  // A certificate of an unknown issuer proves nothing, so its other faults do not matter.
  if (status & CERT_SIGNER_NOT_FOUND) return "issuer-unknown";
  if (status & CERT_EXPIRED) return "expired";
  if (status & CERT_NOT_ACTIVATED) return "not-yet-valid";
  if (status & CERT_UNEXPECTED_OWNER) return "wrong-name";
  return "invalid";
}

/** Ends the program if the certificate of a server is not valid for its name. */
int gnutls_handshake(void *session) {
  int (*original)(void *) = find_function("gnutls_handshake");
  if (!original) return E_INTERNAL_ERROR;
  int result = original(session);
  const char *target = find_record('t', 1);
  if (result != 0 || !target) return result;
  int (*verify)(void *, const char *, unsigned int *) = find_function("gnutls_certificate_verify_peers3");
  void *(*get_pointer)(void *) = find_function("gnutls_session_get_ptr");
  const char *name = get_pointer ? get_pointer(session) : NULL;
  unsigned int status = 0;
  if (verify && verify(session, name ? name : target, &status) == 0 && status == 0) return result;
  fprintf(stderr, "headend-hide-args: Certificate refused: %s\n", describe_status(status));
  _exit(127);
}
