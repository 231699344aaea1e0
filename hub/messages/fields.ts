// Names of request fields in log entries.
import { type Language, type Translation, translate } from './language.ts'

/** By wire name, without the objects that contain the field. */
const FIELDS: Readonly<Record<string, Translation>> = {
  name: ['name', '名称'],
  url: ['URL', 'URL'],
  addr: ['address', '地址'],
  address: ['address', '地址'],
  host: ['host', '主机'],
  port: ['port', '端口'],
  'bind-port': ['port', '端口'],
  pass: ['password', '密码'],
  password: ['password', '密码'],
  passphrase: ['passphrase', '密码短语'],
  user: ['user', '用户'],
  group: ['group', '分组'],
  input: ['input', '输入'],
  backups: ['backup inputs', '备用输入'],
  outputs: ['outputs', '输出'],
  key: ['stream key', '流密钥'],
  'push-key': ['ingest key', '推流密钥'],
  'play-key': ['playback key', '拉流密钥'],
  'stream-id': ['stream ID', '流 ID'],
  'allow-ip': ['allowed addresses', '允许的地址'],
  'expired-time': ['expiry', '有效期'],
  schedule: ['schedule', '定时计划'],
  sn: ['serial number', '序列号'],
  code: ['code', '验证码'],
  latency: ['latency', '延迟'],
  protocol: ['protocol', '协议']
}

/** The label of a field such as `config.url`; its wire name if it has no label. */
export function fieldText(language: Language, field: string): string {
  const last = field.slice(field.lastIndexOf('.') + 1)
  return Object.hasOwn(FIELDS, last) ? translate(language, FIELDS[last] as Translation) : field
}
