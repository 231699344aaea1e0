// Names and versions in a hello, which a client says of itself before it is authenticated.
import * as z from 'zod'

/**
 * Characters that are not allowed in names from devices and hubs: control characters (they corrupt logs and terminals),
 * lone surrogates (they cannot be stored), line separators, and direction overrides (they disguise text in lists). Has
 * the `g` flag, so it must not be used with `test`.
 */
export const FORBIDDEN_CHARS = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/gu

/** 1 to 64 characters, without spaces around them. */
export const helloText = z
  .string()
  .max(64)
  .trim()
  .min(1)
  .refine((value) => value.search(FORBIDDEN_CHARS) < 0)
