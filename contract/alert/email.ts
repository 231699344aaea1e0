// E-mail: messages that the hub hands to an SMTP server.

/** `starttls`: encrypted after the greeting (default); `tls`: from the beginning; `none`: not at all. */
export const EMAIL_SECURITIES = ['starttls', 'tls', 'none'] as const
export type EmailSecurity = (typeof EMAIL_SECURITIES)[number]

/** Ports of submission (RFC 6409, RFC 8314), and of servers without encryption. */
export const EMAIL_PORTS: Readonly<Record<EmailSecurity, number>> = { starttls: 587, tls: 465, none: 25 }

/** Maximum number of recipients of one destination. */
export const EMAIL_RECIPIENTS_MAX = 20

export type { EmailConfig } from './email.schema.ts'
