// Names of request fields in log entries.
import type { SettingTable } from '../../contract/setting.schema.ts'
import { CHANNEL_SETTINGS } from '../../contract/stream/channel-settings.schema.ts'
import { findKeysByText, type Language, type Translation, translate } from './language.ts'

/** The names of settings, from their declarations. */
const labelsOf = (table: SettingTable): Record<string, Translation> =>
  Object.fromEntries(Object.entries(table).flatMap(([name, { label }]) => (label ? [[name, label]] : [])))

/** By wire name, without the objects that contain the field. */
const FIELDS: Readonly<Record<string, Translation>> = {
  ...labelsOf(CHANNEL_SETTINGS),
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
  outputs: ['outputs', '输出'],
  key: ['stream key', '流密钥'],
  'stream-id': ['stream ID', '流 ID'],
  'expired-time': ['expiry', '有效期'],
  sn: ['serial number', '序列号'],
  code: ['code', '验证码'],
  latency: ['latency', '延迟'],
  'dst-ip': ['address', '地址'],
  'dst-port': ['port', '端口'],
  'local-port': ['local port', '本地端口'],
  'remote-port': ['remote port', '远程端口'],
  username: ['user name', '用户名'],
  passwd: ['password', '密码'],
  'old-passwd': ['current password', '当前密码'],
  nick: ['display name', '显示名称'],
  desc: ['description', '描述'],
  users: ['members', '成员'],
  'group-id': ['user group', '用户组'],
  permission: ['permissions', '权限'],
  permissions: ['permissions', '权限'],
  owner: ['owner', '所有者'],
  scopes: ['scopes', '权限范围'],
  'group-mask': ['user groups', '用户组'],
  'usr-mask': ['users', '用户'],
  devices: ['devices', '设备'],
  file: ['file', '文件'],
  zone: ['time zone', '时区'],
  server1: ['time server 1', '时间服务器 1'],
  server2: ['time server 2', '时间服务器 2'],
  remark: ['remark', '备注'],
  keep: ['backups to keep', '保留份数'],
  endpoint: ['address', '地址'],
  bucket: ['bucket', '存储桶'],
  'access-key': ['access key ID', '访问密钥 ID'],
  path: ['folder', '文件夹'],
  'code-value': ['invitation code', '邀请码'],
  iface: ['network interface', '网络接口'],
  'max-lines': ['lines', '条数'],
  'max-days': ['days', '天数'],
  length: ['minimum length', '最小长度'],
  lowercase: ['lowercase letters', '小写字母'],
  uppercase: ['uppercase letters', '大写字母'],
  number: ['digits', '数字'],
  special: ['special characters', '特殊字符']
}

/** The label of a field such as `config.url`; its wire name if it has no label. */
export function fieldText(language: Language, field: string): string {
  const last = field.slice(field.lastIndexOf('.') + 1)
  return Object.hasOwn(FIELDS, last) ? translate(language, FIELDS[last] as Translation) : field
}

/** The fields whose label contains a text. */
export const findFieldsByText = (language: Language, text: string): string[] => findKeysByText(language, FIELDS, text)
