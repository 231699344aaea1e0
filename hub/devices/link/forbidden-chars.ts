/**
 * Characters that no name of a device may have. Control characters break logs and terminals; lone surrogates, storage;
 * direction overrides, what a list seems to say. Global: for `replace` and `search`, not for `test`.
 */
export const UNFIT = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/gu
