// Configuration of e-mail: the SMTP server, the sender and the recipients.
import * as z from 'zod'
import { faultIssue, port, text } from '../fields.schema.ts'
import { SERVER_CERTIFICATES } from './certificates.schema.ts'
import { EMAIL_RECIPIENTS_MAX, EMAIL_SECURITIES } from './email.ts'
import { mailAddress } from './mail-address.schema.ts'
import { serverHost } from './server-host.schema.ts'

export const EmailConfig = z
  .object({
    host: serverHost.describe('Name or address of the SMTP server'),
    port: port.optional().describe('Default: 587 with `starttls`, 465 with `tls`, 25 with `none`'),
    security: z
      .enum(EMAIL_SECURITIES)
      .optional()
      .describe('`starttls` (default), `tls` (from the beginning), `none` (not encrypted, only without a password)'),
    user: text.optional().describe('Absent or empty: the server needs no login'),
    password: text.optional(),
    from: mailAddress,
    to: z.array(mailAddress).min(1).max(EMAIL_RECIPIENTS_MAX),
    ...SERVER_CERTIFICATES
  })
  .superRefine(({ security, user, password }, context) => {
    if (security === 'none' && password) context.addIssue({ ...faultIssue({ name: 'invalid' }), path: ['password'] })
    if (password && !user) context.addIssue({ ...faultIssue({ name: 'required' }), path: ['user'] })
  })

export type EmailConfig = z.infer<typeof EmailConfig>
