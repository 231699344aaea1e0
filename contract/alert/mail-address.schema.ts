// Addresses of e-mail.
import * as z from 'zod'

/** An address without a name, which cannot add a header or another recipient: no spaces, quotes or separators. */
export const mailAddress = z
  .string()
  .max(254)
  .regex(/^[^\s\p{Cc}"(),:;<>@[\\\]]{1,64}@[^\s\p{Cc}"(),:;<>@[\\\]]+$/u)
