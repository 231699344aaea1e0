// What the cloud signs with its signing key (Ed25519, RFC 8032). Each text begins with a name of its own, so that a
// signature of one kind is none of another.

/** A signing key of the cloud that takes the place of its predecessor, which has signed it. */
export interface SuccessorKey {
  /** Public key: SPKI, DER, in base64. */
  key: string
  /** Signature of the predecessor over `successorText(key)`, in base64; empty for the first key. */
  signature: string
}

/** @param pin `CloudIdentity.pin` */
export const identityText = (nonce: string, pin: string): string => `headend-identity/1\n${nonce}\n${pin}`

export const successorText = (key: string): string => `headend-successor/1\n${key}`
