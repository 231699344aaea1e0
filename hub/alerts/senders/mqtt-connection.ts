// A connection to an MQTT broker (MQTT 3.1.1). It stays open, so that the broker notices when the hub is offline.
import { createHash } from 'node:crypto'
import { connect } from 'node:net'
import { connect as connectTls } from 'node:tls'
import type { IClientOptions, MqttClient } from 'mqtt'
import { MQTT_PORTS, MQTT_TOPIC, type MqttConfig } from '../../../contract/alert/mqtt.ts'
import { lookUpServer, resolveServer } from '../../machine/server-address.ts'
import type { AlertMessage } from '../sender.ts'
import { tlsOptions } from '../server-connection.ts'

/** The hub, as messages describe it. */
export type BrokerHub = AlertMessage['hub']

/** The retained state of one object. */
export interface StoredState {
  state: 'problem' | 'ok'
  name: string
  kind: string
  severity: AlertMessage['severity']
  cause: string
  title: string
  since: string
  ended?: string
  alarm: string
  message: string
}

/** Seconds. A broker considers a hub offline of which it has received nothing for one and a half times as long. */
const KEEPALIVE = 30
/** Milliseconds: to connect, between attempts to reconnect, and to publish that the hub is offline before it closes. */
const CONNECT_TIMEOUT = 15_000
const RECONNECT_PERIOD = 10_000
const FAREWELL_TIME = 2000

/** Maximum number of states in memory: other programs can publish below the topics of the hub too. */
const STATES_MAX = 10_000
/** Maximum bytes of a state. */
const STATE_MAX = 4096

/** A name as part of a topic, without separators and wildcards. */
export const topicName = (name: string): string => name.replace(/[^\w.-]/g, '_')

/** Parses a message below the topics of the hub; undefined if it is from another program, and not a state. */
function parseState(payload: Buffer): StoredState | undefined {
  if (payload.length > STATE_MAX) return undefined
  try {
    const value: Partial<StoredState> | null = JSON.parse(payload.toString())
    return typeof value?.state === 'string' && typeof value.alarm === 'string' ? (value as StoredState) : undefined
  } catch {
    return undefined
  }
}

export class MqttConnection {
  /** The retained states that this hub has published, by topic: also those from before its last start. */
  readonly states = new Map<string, StoredState>()
  /** The topic that says whether the hub is connected. */
  readonly availability: string
  readonly #client: MqttClient
  readonly #base: string

  private constructor(client: MqttClient, base: string) {
    this.#client = client
    this.#base = base
    this.availability = this.topic('availability')
    client.on('connect', () => void this.publish(this.availability, 'online', true).catch(() => {}))
    client.on('message', (topic, payload) => {
      const state = parseState(payload)
      if (!state) this.states.delete(topic)
      else if (this.states.has(topic) || this.states.size < STATES_MAX) this.states.set(topic, state)
    })
    // The client reconnects by itself.
    client.on('error', () => {})
  }

  /** @throws Error with the code of the refusal (a number), or with a system code */
  static async open(config: MqttConfig, hub: BrokerHub, signal: AbortSignal): Promise<MqttConnection> {
    const { host, security = 'tls', port = MQTT_PORTS[security], user, password, topic = MQTT_TOPIC } = config
    // Loaded here, because most hubs use no MQTT.
    const { MqttClient } = await import('mqtt')
    // Also checks addresses, for which the client makes no lookup.
    await resolveServer(host)
    signal.throwIfAborted()
    const base = `${topic}/${topicName(hub.sn)}`
    const options: IClientOptions = {
      clientId: `headend-${createHash('sha256')
        .update(JSON.stringify([hub.sn, config]))
        .digest('hex')
        .slice(0, 14)}`,
      protocolVersion: 4,
      keepalive: KEEPALIVE,
      connectTimeout: CONNECT_TIMEOUT,
      reconnectPeriod: RECONNECT_PERIOD,
      timerVariant: 'native',
      will: { topic: `${base}/availability`, payload: Buffer.from('offline'), qos: 1, retain: true },
      ...(user && { username: user, password: password ?? '' })
    }
    const target = { host, port, lookup: lookUpServer }
    const openSocket = () =>
      security === 'tls' ? connectTls({ ...target, ...tlsOptions(host, config) }) : connect(target)
    const client = new MqttClient(openSocket, options)
    const connection = new MqttConnection(client, base)
    try {
      await whenConnected(client, signal)
      await client.subscribeAsync(`${base}/problem/+`, { qos: 1 })
      // A broker sends its retained messages before it confirms the next one.
      await connection.publish(connection.availability, 'online', true)
      return connection
    } catch (error) {
      await connection.close(false)
      throw error
    }
  }

  get isConnected(): boolean {
    return this.#client.connected
  }

  topic(name: string): string {
    return `${this.#base}/${name}`
  }

  /** Resolves when the broker has taken a message. */
  async publish(topic: string, payload: string, retain: boolean): Promise<void> {
    await this.#client.publishAsync(topic, payload, { qos: 1, retain })
  }

  /** @param isGoodbye whether the hub first publishes that it is offline */
  async close(isGoodbye: boolean): Promise<void> {
    if (isGoodbye && this.isConnected) {
      let timer: NodeJS.Timeout | undefined
      const limit = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, FAREWELL_TIME)
      })
      await Promise.race([this.publish(this.availability, 'offline', true).catch(() => {}), limit])
      clearTimeout(timer)
    }
    await this.#client.endAsync(true)
  }
}

/** Resolves when a client is connected; rejects with its first error. */
function whenConnected(client: MqttClient, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const handleAbort = () => reject(signal.reason)
    signal.addEventListener('abort', handleAbort, { once: true })
    const settle = (finish: () => void) => {
      signal.removeEventListener('abort', handleAbort)
      finish()
    }
    client.once('connect', () => settle(resolve))
    client.once('error', (error) => settle(() => reject(error)))
    client.once('close', () => settle(() => reject(Object.assign(new Error('closed'), { code: 'ECONNRESET' }))))
  })
}
