// An MQTT broker (mosquitto), and a client that watches its topics.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connectAsync } from 'mqtt'
import { freeTcpPort } from '../../net/free-port.ts'
import type { Pair } from '../../tls/certificates.ts'
import { ReceiverProcess } from './receiver-process.ts'

export interface Broker {
  port: number
  stop(): Promise<void>
  /** Starts it again, without its retained messages. */
  start(): Promise<void>
  close(): Promise<void>
}

interface BrokerOptions {
  /** User and password without which it refuses connections. */
  login?: readonly [user: string, password: string]
  tls?: Pair
}

export async function startBroker({ login, tls }: BrokerOptions = {}): Promise<Broker> {
  const folder = mkdtempSync(join(tmpdir(), 'headend-broker-'))
  const path = (name: string) => join(folder, name)
  const port = await freeTcpPort()
  if (login) {
    writeFileSync(path('passwords'), `${login.join(':')}\n`)
    execFileSync('mosquitto_passwd', ['-U', path('passwords')])
  }
  for (const [name, text] of Object.entries(tls ?? {})) writeFileSync(path(name), text)
  const settings = [
    ...['user root', 'persistence false', 'log_type all', `listener ${port} 127.0.0.1`],
    ...(login ? ['allow_anonymous false', `password_file ${path('passwords')}`] : ['allow_anonymous true']),
    ...(tls ? [`certfile ${path('cert')}`, `keyfile ${path('key')}`] : [])
  ]
  writeFileSync(path('conf'), `${settings.join('\n')}\n`)
  const begin = () =>
    ReceiverProcess.start('/usr/sbin/mosquitto', ['-c', path('conf')], /mosquitto version \S+ running/)
  let receiver = await begin()
  return {
    port,
    stop: () => receiver.stop(),
    async start() {
      receiver = await begin()
    },
    async close() {
      await receiver.stop()
      rmSync(folder, { recursive: true })
    }
  }
}

/** Watches all topics of a broker without TLS, as another client would. */
export async function watchBroker(port: number) {
  const client = await connectAsync({ host: '127.0.0.1', port, timerVariant: 'native' })
  const retained = new Map<string, string>()
  const events: { topic: string; payload: string }[] = []
  client.on('message', (topic, payload) => {
    retained.set(topic, payload.toString())
    events.push({ topic, payload: payload.toString() })
  })
  await client.subscribeAsync('#', { qos: 1 })
  return {
    /** The newest payload of each topic. */
    newest: retained,
    events,
    publish: (topic: string, payload: string) => client.publishAsync(topic, payload, { qos: 1, retain: true }),
    close: () => client.endAsync(true)
  }
}
