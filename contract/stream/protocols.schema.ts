// Schemas of stream/protocols.
import * as z from 'zod'

/** SRT key length in bytes; 0 = no encryption. */
export const KeyLength = z.union([z.literal(0), z.literal(16), z.literal(24), z.literal(32)])

export type KeyLength = z.infer<typeof KeyLength>
