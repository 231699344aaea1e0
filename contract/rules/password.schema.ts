// Schemas of rules/password.
import * as z from 'zod'

/** Part `pwd-rule` of the settings. 0 requires nothing. */
export const PasswordRules = z.object({
  length: z.number().describe('Characters, 0-32; 1 requires nothing either, because no password may be empty'),
  lowercase: z
    .number()
    .describe(
      'Numbers of lower-case letters, upper-case letters, digits, characters of ~!@#$%^&*_-+=; together at most 32'
    ),
  uppercase: z.number(),
  number: z.number(),
  special: z.number(),
  'chk-name': z.number().describe('1: must not contain the user name, ignoring case')
})

export type PasswordRules = z.infer<typeof PasswordRules>
