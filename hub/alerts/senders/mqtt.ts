// Publishes the state of problems on an MQTT broker, and announces them to Home Assistant.
import { MQTT_DISCOVERY, type MqttConfig } from '../../../contract/alert/mqtt.ts'
import {
  type AlertMessage,
  answerText,
  CONCERNS_MAX,
  type Concern,
  SendError,
  type Sender,
  toSendError
} from '../sender.ts'
import { type BrokerHub, MqttConnection, type StoredState, topicName } from './mqtt-connection.ts'

/** Codes of a refused connection that another attempt does not change (MQTT 3.1.1, 3.2.2.3). */
const FINAL_REFUSALS = [1, 2, 4, 5]

const isoTime = (time: number) => new Date(time).toISOString()

/** The state of one object in a message. */
function stateOf(
  message: AlertMessage,
  { name, kind }: Pick<Concern, 'name' | 'kind'>,
  isProblem: boolean
): StoredState {
  const { id, alarm, severity, cause, title, since, endedAt } = message
  return {
    ...{ state: isProblem ? 'problem' : 'ok', name, kind, severity, cause, title: answerText(title) },
    since: isoTime(since),
    ...(endedAt !== undefined && { ended: isoTime(endedAt) }),
    ...{ alarm, message: id }
  }
}

/**
 * A binary sensor of Home Assistant: on while there is a problem, and unavailable while the hub is not connected.
 * https://www.home-assistant.io/integrations/binary_sensor.mqtt/
 */
function sensorOf(
  { name }: Concern,
  { sn, name: hubName }: BrokerHub,
  topic: string,
  availability: string,
  id: string
) {
  return {
    name,
    unique_id: id,
    device_class: 'problem',
    state_topic: topic,
    value_template: '{{ value_json.state }}',
    payload_on: 'problem',
    payload_off: 'ok',
    json_attributes_topic: topic,
    availability_topic: availability,
    device: { identifiers: [`headend_${topicName(sn)}`], name: hubName, manufacturer: 'Headend', serial_number: sn },
    origin: { name: 'Headend' }
  }
}

async function publishConcerns(connection: MqttConnection, message: AlertMessage, discovery: string): Promise<number> {
  const { state, alarm, concerns, concernCount, hub } = message
  const topicOf = (id: string) => connection.topic(`problem/${topicName(id)}`)
  const isProblem = state !== 'recovered'
  const states = new Map(concerns.map((concern) => [topicOf(concern.id), stateOf(message, concern, isProblem)]))
  // Objects that an earlier message of this alarm has named, and this one does not name, have no problem.
  const isComplete = !isProblem || concernCount <= Math.min(CONCERNS_MAX, concerns.length)
  for (const [topic, stored] of connection.states)
    if (isComplete && stored.alarm === alarm && stored.state === 'problem' && !states.has(topic))
      states.set(topic, stateOf({ ...message, severity: stored.severity }, stored, false))
  if (discovery && isProblem)
    for (const concern of concerns) {
      const id = `headend_${topicName(hub.sn)}_${topicName(concern.id)}`
      const sensor = sensorOf(concern, hub, topicOf(concern.id), connection.availability, id)
      await connection.publish(`${discovery}/binary_sensor/${id}/config`, JSON.stringify(sensor), true)
    }
  for (const [topic, each] of states) await connection.publish(topic, JSON.stringify(each), true)
  return states.size
}

function mqttError(error: Error & { code?: string | number }): SendError {
  if (typeof error.code !== 'number') return toSendError(error)
  const answer = answerText(error.message)
  return new SendError([`The broker answered: ${answer}`, `服务器返回：${answer}`], {
    isFinal: FINAL_REFUSALS.includes(error.code),
    cause: error
  })
}

/** Holds one connection for each configuration, so that a broker notices when the hub is offline. */
export class MqttSender implements Sender<MqttConfig> {
  /** By configuration as JSON. */
  readonly #connections = new Map<string, Promise<MqttConnection>>()
  #isClosed = false

  async send(message: AlertMessage, config: MqttConfig, signal: AbortSignal): Promise<string> {
    const { discovery = MQTT_DISCOVERY } = config
    const key = JSON.stringify(config)
    try {
      const connection = await this.#open(key, config, message.hub, signal)
      const handleAbort = () => void connection.close(false)
      signal.addEventListener('abort', handleAbort, { once: true })
      try {
        const count = message.state === 'test' ? 0 : await publishConcerns(connection, message, discovery)
        const { concernCount, endedAt, ...event } = message
        const times = { since: isoTime(message.since), ...(endedAt !== undefined && { ended: isoTime(endedAt) }) }
        await connection.publish(
          connection.topic('alarm'),
          JSON.stringify({ ...event, ...times, 'concern-count': concernCount }),
          false
        )
        return `Published ${count + 1} messages below ${connection.topic('')}`
      } finally {
        signal.removeEventListener('abort', handleAbort)
      }
    } catch (error) {
      void this.#forget(key, false)
      throw signal.aborted ? toSendError(signal.reason) : mqttError(error as Error)
    }
  }

  /** @returns the connection of a configuration; a new one if it was lost, so that an error can be reported */
  async #open(key: string, config: MqttConfig, hub: BrokerHub, signal: AbortSignal): Promise<MqttConnection> {
    const known = await this.#connections.get(key)?.catch(() => undefined)
    if (known?.isConnected) return known
    void this.#forget(key, false)
    const opened = MqttConnection.open(config, hub, signal)
    this.#connections.set(key, opened)
    const connection = await opened
    if (this.#isClosed) await connection.close(true)
    return connection
  }

  keepOnly(configs: readonly MqttConfig[]): void {
    const kept = new Set(configs.map((config) => JSON.stringify(config)))
    for (const key of this.#connections.keys()) if (!kept.has(key)) void this.#forget(key, true)
  }

  /** @param isGoodbye whether the hub first publishes that it is offline */
  async #forget(key: string, isGoodbye: boolean): Promise<void> {
    const opening = this.#connections.get(key)
    this.#connections.delete(key)
    const connection = await opening?.catch(() => undefined)
    await connection?.close(isGoodbye)
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await Promise.all([...this.#connections.keys()].map((key) => this.#forget(key, true)))
  }
}
