import { createHash } from 'node:crypto'

/** A short text that differs for different values of JSON. */
export const fingerprint = (value: unknown): string =>
  createHash('sha256').update(JSON.stringify(value)).digest('base64url')
