// The cloud link: the connection from a hub to the cloud. It is the device link (`device/link.ts`) with a question
// before, and another hello. Over TLS or without, a hub first sends to the registration port of the cloud
//   GET /link/identity?nonce=<16-64 characters of base64url, new for each connection>
// and gets 200 with JSON of CloudIdentity, once for each connection. Only when the hub has recognized the cloud does it
// send, over the same connection,
//   GET /link HTTP/1.1   Connection: Upgrade   Upgrade: headend-link/1   headend-hub: <base64url JSON of HubHello>
// The cloud answers as a hub answers a device, or with 426 where it demands TLS; then the hub is the HTTP/2 server on
// this connection. Requests of the cloud over the link:
//   POST /link/state     JSON { state }: the hub was accepted (101), rejected (102) or deleted (104); response 204
//   POST /link/update    JSON of CloudUpdate; response 204
//   GET /link/digest     a stream of the health of the hub (`digest.ts`)
// A hub that leaves the cloud sends, after the identity and instead of the hello,
//   POST /link/leave     headend-hub: <base64url JSON of HubHello>
// The cloud then forgets its key, and answers 204, also if it does not know the hub.
import type { SuccessorKey } from './signing.ts'

export const CLOUD_IDENTITY_PATH = '/link/identity'
export const CLOUD_LEAVE_PATH = '/link/leave'

export const IDENTITY_NONCE = /^[\w-]{16,64}$/

/** What the cloud says of itself, so that hubs recognize it. */
export interface CloudIdentity {
  /** The first signing key and its successors; the last one is the current one. */
  keys: SuccessorKey[]
  /** Identifier of the node that answers. */
  node: string
  /** SHA-256 of the public key of the TLS certificate of this connection in base64; empty without TLS. */
  pin: string
  /** Signature of the current key over `identityText(nonce, pin)`, in base64. */
  signature: string
}

/** What a connected hub has to know of the cloud, sent when the link is up and when it has changed. */
export interface CloudUpdate {
  keys: SuccessorKey[]
  /** The nodes that run. */
  nodes: CloudNode[]
}

export interface CloudNode {
  id: string
  /** `host:port` at which hubs reach this node; empty: at the address of the cloud. */
  address: string
}

export const HUB_HELLO_HEADER = 'headend-hub'

/** Identity of a hub, sent when it opens a link. */
export interface HubHello {
  /** Name of the organisation to which the hub registers. */
  organisation: string
  sn: string
  name: string
  version: string
  /** Key of the hub: 64 hex digits, generated once. The cloud binds a serial number to the first key that it sees. */
  key: string
  /** Secret part of the invitation. */
  code: string
  /** Random, made when the program of the hub starts: links of one hub have the same one, and those of a copy not. */
  instance?: string | undefined
  /** Whether the cloud has known this hub since its program was started. One that it does not know now was deleted. */
  registered?: boolean | undefined
}

/** Name of an organisation: 1-32 lower-case letters a-z, digits and hyphens, starting with a letter. */
export const ORGANISATION_NAME = /^[a-z][a-z0-9-]{0,31}$/

export interface Invitation {
  organisation: string
  code: string
  /** Fingerprint of a signing key of the cloud: SHA-256 of its SPKI (DER) in base64url. */
  fingerprint?: string | undefined
}

/** An invitation as text, such as `headend:7KQD-3MXH-9TRW`, with `:` and the fingerprint if there is one. */
export const formatInvitation = ({ organisation, code, fingerprint }: Invitation): string =>
  [organisation, code, ...(fingerprint ? [fingerprint] : [])].join(':')

/** @returns undefined if the text is no invitation */
export function parseInvitation(text: string): Invitation | undefined {
  const [, organisation = '', code = '', fingerprint] =
    /^([^:]*):([\w-]{1,64})(?::([\w-]{43}))?$/.exec(text.trim()) ?? []
  if (!ORGANISATION_NAME.test(organisation)) return undefined
  return { organisation, code, ...(fingerprint && { fingerprint }) }
}
