// Posts messages to a web server: as JSON with all fields and a signature, or in the format of a chat service.
import { createHmac } from 'node:crypto'
import { STATUS_CODES } from 'node:http'
import type { WebhookConfig } from '../../../contract/alert/webhook.ts'
import { postUnderPolicy } from '../http-post.ts'
import { type AlertMessage, answerText, SendError, type Sender, toSendError } from '../sender.ts'

type Template = NonNullable<WebhookConfig['template']>

/** Maximum characters of a message by service. */
const DISCORD_MAX = 2000
const TELEGRAM_MAX = 4096
const SLACK_MAX = 40_000

/** Statuses other than 5xx after which another attempt can succeed. */
const TEMPORARY = [408, 425, 429]

const SYMBOLS: Readonly<Record<AlertMessage['state'], string>> = {
  problem: '🔴',
  reminder: '🔴',
  recovered: '🟢',
  test: '🔵'
}

const cut = (text: string, max: number) => (text.length <= max ? text : `${text.slice(0, max - 1)}…`)

/** Title with a symbol for the state, and the lines below it. */
function plainText({ state, severity, title, text }: AlertMessage, bold: (title: string) => string): string {
  const isWarning = severity === 'warn' && state !== 'recovered' && state !== 'test'
  return [`${isWarning ? '🟠' : SYMBOLS[state]} ${bold(title)}`, text].filter(Boolean).join('\n')
}

/** Slack reads `<…>` as links and mentions, such as `<!channel>`. */
const escapeSlack = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** The message with its fields on the wire. */
function jsonOf({ endedAt, concernCount, ...message }: AlertMessage) {
  return { ...message, ...(endedAt !== undefined && { 'ended-at': endedAt }), 'concern-count': concernCount }
}

const BODIES: Readonly<Record<Template, (message: AlertMessage, config: WebhookConfig) => object>> = {
  json: jsonOf,
  slack: (message) => ({
    text: cut(
      plainText({ ...message, title: escapeSlack(message.title), text: escapeSlack(message.text) }, (title) => title),
      SLACK_MAX
    )
  }),
  // Workflows of Teams take an adaptive card.
  teams: (message) => ({
    type: 'message',
    attachments: [
      {
        contentType: 'application/vnd.microsoft.card.adaptive',
        content: {
          $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
          type: 'AdaptiveCard',
          version: '1.4',
          body: [
            {
              type: 'TextBlock',
              text: plainText({ ...message, text: '' }, (title) => title),
              weight: 'bolder',
              wrap: true
            },
            { type: 'TextBlock', text: message.text.replaceAll('\n', '\n\n'), wrap: true }
          ]
        }
      }
    ]
  }),
  // A name in a message must not notify users of Discord.
  discord: (message) => ({
    content: cut(
      plainText(message, (title) => `**${title}**`),
      DISCORD_MAX
    ),
    allowed_mentions: { parse: [] }
  }),
  telegram: (message, { chat }) => ({
    chat_id: chat,
    text: cut(
      plainText(message, (title) => title),
      TELEGRAM_MAX
    ),
    disable_web_page_preview: true
  })
}

/**
 * Headers of a signed request: time of the attempt in seconds since the epoch, and HMAC-SHA256 of the time, a full stop
 * and the body, so that nobody can change a message, or send it again later.
 */
export function signatureHeaders(secret: string, body: string, seconds: number): Record<string, string> {
  const signature = createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')
  return { 'x-headend-timestamp': String(seconds), 'x-headend-signature': `sha256=${signature}` }
}

export const webhookSender: Sender<WebhookConfig> = {
  async send(message, config, signal) {
    const { url, secret, template = 'json' } = config
    const body = JSON.stringify(BODIES[template](message, config))
    const headers = {
      'content-type': 'application/json; charset=utf-8',
      'content-length': Buffer.byteLength(body),
      'user-agent': 'headend',
      'x-headend-id': message.id,
      ...(secret && signatureHeaders(secret, body, Math.floor(Date.now() / 1000)))
    }
    const { status, text } = await postUnderPolicy(url, { headers, body, signal }).catch((error) => {
      throw toSendError(error)
    })
    const { pathname, search } = new URL(url)
    const secrets = [url, secret, pathname.length > 1 ? pathname : undefined, search]
    const answer = answerText(`${status} ${STATUS_CODES[status] ?? ''} ${text}`, secrets)
    if (status >= 200 && status < 300) return answer
    throw new SendError([`The server answered ${answer}`, `服务器返回 ${answer}`], {
      isFinal: status < 500 && !TEMPORARY.includes(status)
    })
  }
}
