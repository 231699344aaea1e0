// Addresses of e-mail.
import * as z from 'zod'

/** An address without a name. Without spaces, quotes and separators it cannot add a header or another recipient. */
export const mailAddress = z
  .string()
  .max(254)
  .regex(/^[^\s\p{Cc}"(),:;<>@[\\\]]{1,64}@[^\s\p{Cc}"(),:;<>@[\\\]]+$/u)
