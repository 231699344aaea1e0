// Sends messages to subscribed browsers over their push services (RFC 8030, 8291, 8292).
import { createECDH, createHash } from 'node:crypto'
import { STATUS_CODES } from 'node:http'
import type { RequestOptions } from 'web-push'
import type { PushConfig, PushSubscription } from '../../../contract/alert/push.ts'
import { resolvePublicServer } from '../../machine/server-address.ts'
import type { SubscribedBrowser } from '../../store/push-browsers.ts'
import type { Store } from '../../store/store.ts'
import { postUnderPolicy } from '../http-post.ts'
import { type AlertMessage, answerText, SendError, type Sender, toSendError } from '../sender.ts'
import { cutBytes } from './cut-bytes.ts'

const KEY_OWNER = 'push keys'
/** Bytes of a secret key on P-256. */
const KEY_BYTES = 32
/** Seconds for which a push service keeps a message for a browser that is not running. */
const LIFETIME = 86_400
/** Maximum bytes of title and text: push services take 4,096 bytes with encryption (RFC 8291, 4). */
const TITLE_MAX = 400
const TEXT_MAX = 2400
/** Statuses that say that a subscription does not exist any more (RFC 8030, 7.3). */
const GONE = [404, 410]
/** Maximum number of messages in memory that only some of the browsers have received. */
const UNFINISHED_MAX = 200

const NO_BROWSER: SendError['text'] = ['No browser is subscribed.', '没有已订阅的浏览器。']

interface VapidKeys {
  publicKey: string
  privateKey: string
}

/** The key pair with which the hub identifies itself to push services. A browser subscribes with the public key. */
export class PushKeys {
  readonly #store: Pick<Store, 'settings' | 'encryption'>

  constructor(store: Pick<Store, 'settings' | 'encryption'>) {
    this.#store = store
  }

  /** @returns undefined if there is no pair, or if it cannot be decrypted */
  read(): VapidKeys | undefined {
    const { public: publicKey, secret } = this.#store.settings.get('push-keys')
    const privateKey = secret && this.#store.encryption.decrypt(secret, KEY_OWNER)
    return privateKey ? { publicKey, privateKey } : undefined
  }

  /** Makes the pair if there is none, in the transaction of the caller. */
  ensure(): void {
    if (this.read()) return
    const { settings, encryption } = this.#store
    const pair = createECDH('prime256v1')
    const publicKey = pair.generateKeys('base64url', 'uncompressed')
    // Node omits zeros at the beginning.
    const secret = pair.getPrivateKey()
    const privateKey = Buffer.concat([Buffer.alloc(KEY_BYTES - secret.length), secret]).toString('base64url')
    settings.set('push-keys', { public: publicKey, secret: encryption.encrypt(privateKey, KEY_OWNER) })
  }
}

/** What the service worker shows. Messages of one alarm replace each other. */
const payloadOf = ({ title, text, alarm, severity, state }: AlertMessage): string =>
  JSON.stringify({
    title: cutBytes(answerText(title), TITLE_MAX),
    body: cutBytes(text, TEXT_MAX),
    tag: alarm,
    renotify: true,
    requireInteraction: severity === 'bad' && state === 'problem'
  })

/** The topic by which a push service replaces a message that it still has: at most 32 letters of base64url. */
const topicOf = ({ alarm }: AlertMessage) => createHash('sha256').update(alarm).digest('base64url').slice(0, 32)

interface PushSenderOptions {
  store: Pick<Store, 'settings' | 'encryption' | 'pushBrowsers' | 'database' | 'changes'>
  /** For tests: where push services are, and who signs their certificates. */
  resolve?: (host: string) => Promise<string>
  ca?: string
}

/** Outcome of an attempt with one browser. `text` has the host and the answer of its push service. */
interface Outcome {
  id: number
  isDelivered: boolean
  isGone: boolean
  text: string
}

export class PushSender implements Sender<PushConfig> {
  readonly #options: PushSenderOptions
  readonly #keys: PushKeys
  /** IDs of the browsers that have received a message, by its ID. The next attempt sends it to the others only. */
  readonly #delivered = new Map<string, Set<number>>()

  constructor(options: PushSenderOptions) {
    this.#options = options
    this.#keys = new PushKeys(options.store)
  }

  prepare(): void {
    this.#keys.ensure()
  }

  async send(message: AlertMessage, { contact }: PushConfig, signal: AbortSignal): Promise<string> {
    const { database, pushBrowsers, changes } = this.#options.store
    const keys = this.#keys.read()
    const browsers = keys ? pushBrowsers.permitted(Date.now()) : []
    if (!keys || browsers.length === 0) throw new SendError(NO_BROWSER, { isFinal: true })
    const done = this.#delivered.get(message.id) ?? new Set<number>()
    const { default: webPush } = await import('web-push')
    const options: RequestOptions = {
      vapidDetails: { subject: `mailto:${contact}`, ...keys },
      ...{ TTL: LIFETIME, urgency: message.state === 'recovered' ? 'normal' : 'high', topic: topicOf(message) }
    }
    const outcomes = await Promise.all(
      browsers
        .filter(({ id }) => !done.has(id))
        .map((browser) => {
          const request = webPush.generateRequestDetails(browser.subscription, payloadOf(message), options)
          return this.#post(browser, { headers: request.headers, body: request.body as Buffer }, signal)
        })
    )
    const gone = outcomes.filter(({ isGone }) => isGone)
    if (gone.length > 0) {
      database.transactionOrLater(() => gone.map(({ id }) => pushBrowsers.remove(id)))
      changes.markChanged('alert')
    }
    for (const { id, isDelivered } of outcomes) if (isDelivered) done.add(id)
    return this.#finish(message, { done, outcomes, count: browsers.length - gone.length })
  }

  #finish(
    { id }: AlertMessage,
    { done, outcomes, count }: { done: Set<number>; outcomes: readonly Outcome[]; count: number }
  ): string {
    const texts = [...new Set(outcomes.map(({ text }) => text))].join('; ')
    const answer = answerText(`${done.size}/${count}: ${texts}`)
    this.#delivered.delete(id)
    if (count === 0) throw new SendError(NO_BROWSER, { isFinal: true })
    if (done.size >= count) return answer
    this.#delivered.set(id, done)
    for (const oldest of [...this.#delivered.keys()].slice(0, -UNFINISHED_MAX)) this.#delivered.delete(oldest)
    throw new SendError([`Not all browsers have the message: ${answer}`, `部分浏览器未收到消息：${answer}`])
  }

  async #post(
    { id, subscription }: SubscribedBrowser,
    request: { headers: Record<string, string | number>; body: Buffer },
    signal: AbortSignal
  ): Promise<Outcome> {
    const { resolve = resolvePublicServer, ca } = this.#options
    const { endpoint }: PushSubscription = subscription
    const { host } = new URL(endpoint)
    try {
      const { status } = await postUnderPolicy(endpoint, { ...request, signal, resolve, ca })
      // The body of the answer is left out, because it can have the address of the browser.
      const text = `${host} ${status} ${STATUS_CODES[status] ?? ''}`.trim()
      return { id, isDelivered: status >= 200 && status < 300, isGone: GONE.includes(status), text }
    } catch (error) {
      const { text } = toSendError(error)
      return { id, isDelivered: false, isGone: false, text: `${host}: ${text[0]}` }
    }
  }
}
