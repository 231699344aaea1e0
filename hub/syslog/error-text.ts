// Why a syslog server cannot be reached, in words.
import { type Language, type Translation, translate } from '../messages/language.ts'

const UNREACHABLE: Translation = ['The server cannot be reached over the network.', '网络无法到达该服务器。']
const UNKNOWN_NAME: Translation = ['The name of the server cannot be resolved.', '无法解析服务器名称。']
const CLOSED: Translation = ['The server closed the connection.', '服务器关闭了连接。']
const NO_ANSWER: Translation = ['The server does not answer.', '服务器没有响应。']

/** By the code of the error: of the system, of `ForbiddenServerError`, or of `SyslogError`. */
const SENTENCES: Readonly<Record<string, Translation>> = {
  ECONNREFUSED: ['No program listens on this port of the server.', '服务器的该端口没有程序监听。'],
  ENOTFOUND: UNKNOWN_NAME,
  EAI_AGAIN: UNKNOWN_NAME,
  ENETUNREACH: UNREACHABLE,
  EHOSTUNREACH: UNREACHABLE,
  ETIMEDOUT: NO_ANSWER,
  ECONNRESET: CLOSED,
  EPIPE: CLOSED,
  'forbidden-address': ['This address is not allowed for a server.', '不允许使用该服务器地址。'],
  'no-answer': NO_ANSWER,
  disconnected: CLOSED,
  'not-reading': ['The server does not read what the hub sends.', '服务器未读取中控发送的数据。']
}
const NO_TLS: Translation = ['The server does not use TLS on this port.', '服务器的该端口未使用 TLS。']
const OTHER: Translation = ['Sending failed: {0}', '发送失败：{0}']

export type SyslogErrorCode = 'no-answer' | 'disconnected' | 'not-reading'

export class SyslogError extends Error {
  readonly code: SyslogErrorCode
  constructor(code: SyslogErrorCode) {
    super(translate('en', SENTENCES[code] ?? OTHER))
    this.code = code
  }
}

/** The reason why a server cannot be reached, in both languages. */
export function errorSentence({ code = '', message }: Error & { code?: string }): Translation {
  // The message of OpenSSL about a peer without TLS names a place in the source of OpenSSL.
  if (code === 'EPROTO' || code.startsWith('ERR_SSL_')) return NO_TLS
  return SENTENCES[code] ?? [translate('en', OTHER, [message]), translate('zh', OTHER, [message])]
}

export const syslogErrorText = (language: Language, error: Error & { code?: string }): string =>
  translate(language, errorSentence(error))
