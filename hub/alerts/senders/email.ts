// Hands messages to an SMTP server, as text and as a simple HTML part.
import type { NodemailerError } from 'nodemailer'
import { EMAIL_PORTS, type EmailConfig } from '../../../contract/alert/email.ts'
import { type AlertMessage, answerText, SendError, type Sender, toSendError } from '../sender.ts'
import { openServerConnection, tlsOptions } from '../server-connection.ts'

/** Milliseconds without data from a server after which an attempt ends, even if its signal is not aborted. */
const SILENCE_MAX = 30_000

const COLOURS: Readonly<Record<AlertMessage['state'], string>> = {
  problem: '#b91c1c',
  reminder: '#b91c1c',
  recovered: '#15803d',
  test: '#1d4ed8'
}

const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)

function htmlOf({ state, title, text, hub }: AlertMessage): string {
  const lines = text.split('\n').map(escapeHtml).join('<br>')
  return `<div style="border-left:4px solid ${COLOURS[state]};padding-left:12px;font-family:sans-serif">
<p><strong>${escapeHtml(title)}</strong></p>
<p>${lines}</p>
<p style="color:#6b7280">${escapeHtml(`${hub.name} · ${hub.sn}`)}</p>
</div>`
}

/**
 * IDs of a message and of the thread of its alarm (RFC 5322, 3.6.4). Each attempt has the same message ID, so that a
 * server can drop a second copy. Mail programs show a problem and its recovery in one thread.
 */
function threadOf({ id, alarm, hub }: AlertMessage) {
  const idOf = (text: string) => `<${text.replace(/[^\w.-]/g, '-')}@${hub.sn.replace(/[^\w.-]/g, '-')}.headend>`
  return { messageId: idOf(id), references: idOf(`alarm-${alarm}`) }
}

/** Describes a failure. It is final if the server permanently refuses the login, an address or the message. */
function emailError(error: NodemailerError, secrets: readonly (string | undefined)[]): SendError {
  const { code = '', response, originalCode, permanent = false } = error
  if (code === 'ETLS' && response)
    return new SendError(['The server offers no encryption.', '服务器不提供加密。'], { cause: error })
  if (response) {
    const answer = answerText(response, secrets)
    const isFinal = permanent && ['EAUTH', 'EENVELOPE', 'EMESSAGE'].includes(code)
    if (code === 'EAUTH')
      return new SendError([`The server refuses the login: ${answer}`, `服务器拒绝登录：${answer}`], {
        isFinal,
        cause: error
      })
    return new SendError([`The server answered ${answer}`, `服务器返回 ${answer}`], { isFinal, cause: error })
  }
  return toSendError(originalCode ? Object.assign(error, { code: originalCode }) : error)
}

export const emailSender: Sender<EmailConfig> = {
  async send(message, config, signal) {
    const { host, security = 'starttls', port = EMAIL_PORTS[security], user, password, from, to } = config
    const secrets = [password, password && Buffer.from(`\0${user}\0${password}`).toString('base64')]
    try {
      // Loaded here, because most hubs send no e-mail.
      const { createTransport } = await import('nodemailer')
      const connection = await openServerConnection({ host, port }, signal)
      const transport = createTransport({
        ...{ host, port, connection },
        secure: security === 'tls',
        requireTLS: security === 'starttls',
        ignoreTLS: security === 'none',
        tls: tlsOptions(host, config),
        ...(user && { auth: { user, pass: password ?? '' }, forceAuth: true }),
        name: message.hub.sn.replace(/[^\w-]/g, '') || 'headend',
        greetingTimeout: SILENCE_MAX,
        socketTimeout: SILENCE_MAX,
        socketCloseTimeout: 0,
        disableFileAccess: true,
        disableUrlAccess: true
      })
      try {
        const { response, rejected } = await transport.sendMail({
          from: { name: message.hub.name, address: from },
          to,
          subject: answerText(message.title),
          text: message.text,
          html: htmlOf(message),
          ...threadOf(message),
          headers: { 'Auto-Submitted': 'auto-generated', 'X-Headend-Id': message.id },
          signal
        })
        const refused = rejected.length > 0 ? ` (refused: ${rejected.join(', ')})` : ''
        return answerText(`${response}${refused}`, secrets)
      } finally {
        connection.destroy()
      }
    } catch (error) {
      if (signal.aborted) throw toSendError(signal.reason)
      throw emailError(error as NodemailerError, secrets)
    }
  }
}
