// Sends messages as SNMP notifications of the module HEADEND-MIB (`hub/alerts/headend-mib.txt`).
import type { Session, SessionOptionsV3, User, Varbind } from 'net-snmp'
import { SNMP_PORT, type SnmpConfig } from '../../../contract/alert/snmp.ts'
import { resolveServer } from '../../machine/server-address.ts'
import { type AlertMessage, answerText, SendError, type Sender, toSendError } from '../sender.ts'
import { cutBytes } from './cut-bytes.ts'

type Snmp = typeof import('net-snmp')

/** `headend` of the MIB. */
export const HEADEND_OID = '1.3.6.1.4.1.8072.9999.9999.4344'
/** Enterprise of the OID, which begins the engine ID (RFC 3411, SnmpEngineID). */
const ENTERPRISE = 8072
/** Format of an engine ID that is a text, and its characters at most. */
const TEXT_FORMAT = 4
const ENGINE_TEXT_MAX = 27

const NOTIFICATIONS: Readonly<Record<AlertMessage['state'], number>> = {
  problem: 1,
  reminder: 2,
  recovered: 3,
  test: 4
}
const SEVERITIES: Readonly<Record<AlertMessage['severity'], number>> = { warn: 1, bad: 2 }

/** Maximum bytes of texts, as in the MIB. Receivers accept a datagram with texts of these lengths. */
const ID_MAX = 64
const LINE_MAX = 255
const TEXT_MAX = 1024

/** Milliseconds until an inform is sent again, and number of repetitions. */
const INFORM_TIMEOUT = 3000
const INFORM_RETRIES = 2

/** 2020-01-01, from which minutes fit in the 31 bits of the count of starts for 4,000 years. */
const BOOTS_SINCE = Date.UTC(2020, 0, 1)

/** DateAndTime (RFC 2579) in UTC. */
function dateAndTime(time: number): Buffer {
  const date = new Date(time)
  const bytes = Buffer.alloc(11)
  bytes.writeUInt16BE(date.getUTCFullYear())
  const rest = [date.getUTCMonth() + 1, date.getUTCDate(), date.getUTCHours(), date.getUTCMinutes()]
  bytes.set([...rest, date.getUTCSeconds(), Math.floor(date.getUTCMilliseconds() / 100)], 2)
  bytes.write('+', 8)
  return bytes
}

/** The engine ID of a hub, which receivers of traps of version 3 have to know: the same after each start. */
export function engineIdOf(sn: string): Buffer {
  const head = Buffer.alloc(5)
  head.writeUInt32BE((0x80000000 | ENTERPRISE) >>> 0)
  head[4] = TEXT_FORMAT
  const text = sn.replace(/[^!-~]/g, '').slice(-ENGINE_TEXT_MAX) || 'headend'
  return Buffer.concat([head, Buffer.from(text, 'latin1')])
}

function varbindsOf(message: AlertMessage, { ObjectType }: Snmp): Varbind[] {
  const { id, alarm, severity, cause, title, text, since, endedAt, concernCount, hub } = message
  const object = (number: number, type: number, value: NonNullable<Varbind['value']>): Varbind => ({
    ...{ oid: `${HEADEND_OID}.1.${number}.0`, type, value }
  })
  const line = (number: number, value: string, max = LINE_MAX) =>
    object(number, ObjectType.OctetString, Buffer.from(cutBytes(value, max)))
  return [
    line(1, id, ID_MAX),
    line(2, alarm, ID_MAX),
    object(3, ObjectType.Integer, SEVERITIES[severity]),
    line(4, cause, ID_MAX),
    line(5, answerText(title)),
    line(6, text, TEXT_MAX),
    object(7, ObjectType.OctetString, dateAndTime(since)),
    object(9, ObjectType.Unsigned32, concernCount),
    line(10, answerText(hub.name)),
    line(11, hub.sn, ID_MAX),
    ...(endedAt === undefined ? [] : [object(8, ObjectType.OctetString, dateAndTime(endedAt))])
  ]
}

/**
 * Count of starts and seconds since the last start (RFC 3414, 2.2): a receiver refuses a message whose values are lower
 * than those of an earlier message. The minute in which the process was started takes the place of a stored count.
 */
export class EngineClock {
  /** Does not decrease when the clock is set back. */
  #boots = 1

  read(now = Date.now(), uptime = process.uptime()): { boots: number; seconds: number } {
    this.#boots = Math.max(this.#boots, Math.floor((now - uptime * 1000 - BOOTS_SINCE) / 60_000))
    return { boots: this.#boots, seconds: Math.floor(uptime) }
  }
}

interface TrapRequest {
  message: { msgSecurityParameters: { msgAuthoritativeEngineBoots: number; msgAuthoritativeEngineTime: number } }
}

/**
 * Sets the time of the engine in traps, which is 0 in those of net-snmp (3.29): a receiver that has accepted the first
 * trap would refuse all traps that arrive more than 150 s later (RFC 3414, 3.2).
 */
function addEngineTime(session: Session, clock: Pick<EngineClock, 'read'>): void {
  const send = session.send.bind(session)
  session.send = (request, noWait) => {
    const { boots, seconds } = clock.read()
    const parameters = (request as unknown as TrapRequest).message.msgSecurityParameters
    parameters.msgAuthoritativeEngineBoots = boots
    parameters.msgAuthoritativeEngineTime = seconds
    return send(request, noWait)
  }
}

interface SessionTarget {
  address: string
  config: SnmpConfig
  /** Serial number of the hub. */
  sn: string
  clock: Pick<EngineClock, 'read'>
}

function openSession(snmp: Snmp, { address, config, sn, clock }: SessionTarget): Session {
  const { port = SNMP_PORT, version, community = '', notification = 'trap' } = config
  const { user = '', auth = 'sha256', 'auth-password': authKey = '', 'privacy-password': privKey = '' } = config
  const options = {
    port,
    trapPort: port,
    transport: address.includes(':') ? 'udp6' : 'udp4',
    timeout: INFORM_TIMEOUT,
    retries: INFORM_RETRIES
  } as const
  if (version === '2c') return snmp.createSession(address, community, { ...options, version: snmp.Version2c })
  const { AuthProtocols, PrivProtocols, SecurityLevel } = snmp
  const login: User = {
    ...{ name: user, level: SecurityLevel.authPriv, authProtocol: AuthProtocols[auth], authKey },
    ...{ privProtocol: PrivProtocols.aes, privKey }
  }
  const session = snmp.createV3Session(address, login, { ...options, engineID: engineIdOf(sn) } as SessionOptionsV3)
  // An inform has the engine time of its receiver.
  if (notification === 'trap') addEngineTime(session, clock)
  return session
}

/** The receiver of an inform answered that it does not know the user, or has another password. */
const isRefusal = ({ name }: Error) => name === 'ResponseInvalidError'
const isTimeout = ({ name }: Error) => name === 'RequestTimedOutError'

function snmpError(error: Error): SendError {
  if (isTimeout(error))
    return new SendError(['The receiver does not confirm the message.', '接收端未确认该消息。'], { cause: error })
  if (isRefusal(error)) {
    const answer = answerText(error.message)
    return new SendError([`The receiver answered: ${answer}`, `接收端返回：${answer}`], { isFinal: true, cause: error })
  }
  return toSendError(error)
}

/** Sends one notification, and waits for its confirmation if the receiver confirms it. */
function notify(session: Session, snmp: Snmp, message: AlertMessage, isInform: boolean, signal: AbortSignal) {
  return new Promise<void>((resolve, reject) => {
    const handleAbort = () => reject(signal.reason)
    signal.addEventListener('abort', handleAbort, { once: true })
    const handleEnd = (error: Error | null) => {
      signal.removeEventListener('abort', handleAbort)
      if (error) reject(error)
      else resolve()
    }
    const oid = `${HEADEND_OID}.0.${NOTIFICATIONS[message.state]}`
    if (isInform) session.inform(oid, varbindsOf(message, snmp), handleEnd)
    else session.trap(oid, varbindsOf(message, snmp), handleEnd)
  })
}

export function createSnmpSender(clock: Pick<EngineClock, 'read'> = new EngineClock()): Sender<SnmpConfig> {
  return {
    async send(message, config, signal) {
      const { host, port = SNMP_PORT, version, notification = 'trap' } = config
      const { sn } = message.hub
      try {
        // Loaded here, because most hubs send no SNMP.
        const { default: snmp } = await import('net-snmp')
        const address = await resolveServer(host)
        signal.throwIfAborted()
        const session = openSession(snmp, { address, config, sn, clock })
        try {
          await notify(session, snmp, message, notification === 'inform', signal)
        } finally {
          session.close()
        }
        if (notification === 'inform') return `Confirmed by ${address}, port ${port}`
        const engine = version === '3' ? `; engine ID 0x${engineIdOf(sn).toString('hex')}` : ''
        return `Sent to ${address}, port ${port}, without a confirmation${engine}`
      } catch (error) {
        throw snmpError(error as Error)
      }
    }
  }
}
