// Sends messages of notifications to a syslog server (RFC 5424), each over a connection of its own.
import { hostname } from 'node:os'
import type { SyslogConfig } from '../../../contract/alert/syslog.ts'
import { LOG_ERROR, LOG_INFO, LOG_WARNING } from '../../../contract/log.ts'
import { sendOnce } from '../../syslog/connection.ts'
import { formatMessage } from '../../syslog/message.ts'
import { type AlertMessage, type Sender, toSendError } from '../sender.ts'

/** Registered ports: of syslog over UDP, and of syslog over TCP (RFC 6587 names none, RFC 3195 has 601). */
const PORTS = { udp: 514, tcp: 601 } as const

function levelOf({ state, severity }: AlertMessage): number {
  if (state === 'recovered' || state === 'test') return LOG_INFO
  return severity === 'bad' ? LOG_ERROR : LOG_WARNING
}

export const syslogSender: Sender<SyslogConfig> = {
  async send(message, { host, protocol = 'tcp', port = PORTS[protocol] }, signal) {
    const { id, alarm, state, cause, title, text } = message
    const event = `alert-${state}`
    const line = { id, time: Date.now(), level: levelOf(message), event, detail: `${title}\n${text}`, alarm, cause }
    try {
      await sendOnce({ protocol, host, port }, formatMessage('event', line, hostname()), signal)
    } catch (error) {
      throw toSendError(error)
    }
    return `Sent to ${host}, port ${port}, without a confirmation`
  }
}
