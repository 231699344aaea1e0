/**
 * Characters that are not allowed in names from devices: control characters (they corrupt logs and terminals), lone
 * surrogates (they cannot be stored), line separators, and direction overrides (they disguise text in lists). Has the
 * `g` flag, so it must not be used with `test`.
 */
export const FORBIDDEN_CHARS = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/gu
