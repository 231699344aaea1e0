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
  'replace-publisher': ['replacement of publishers', '替换推流端'],
  switch: ['failover', '故障切换'],
  slate: ['slate', '垫片'],
  health: ['bounds of degraded', '降级阈值'],
  ndi: ['NDI output', 'NDI 输出'],
  sn: ['serial number', '序列号'],
  code: ['code', '验证码'],
  latency: ['latency', '延迟'],
  protocol: ['protocol', '协议'],
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
  iface: ['network interface', '网络接口'],
  'max-lines': ['lines', '条数'],
  'max-days': ['days', '天数'],
  'min-length': ['minimum length', '最小长度']
}

/** The label of a field such as `config.url`; its wire name if it has no label. */
export function fieldText(language: Language, field: string): string {
  const last = field.slice(field.lastIndexOf('.') + 1)
  return Object.hasOwn(FIELDS, last) ? translate(language, FIELDS[last] as Translation) : field
}
