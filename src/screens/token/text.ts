import type { TokenScope } from '../../../contract/access/token.ts'
import type { Translation } from '../../text/language.ts'

export const SCOPES: Readonly<Record<TokenScope, Translation>> = {
  read: ['View', '查看'],
  channels: ['Control and edit channels', '控制和编辑频道'],
  devices: ['Control and configure devices', '控制和配置设备'],
  settings: ['Change settings', '修改设置'],
  metrics: ['Read metrics', '读取指标']
}

export const TEXT = {
  title: ['Access tokens', '访问令牌'],
  lead: [
    'A program with a token has the permissions of its owner, limited to the scopes of the token. It can never manage users, tokens, certificates or updates.',
    '持有令牌的程序在所选范围内拥有其所有者的权限，但始终不能管理用户、令牌、证书和更新。'
  ],
  scopes: ['Scopes', '权限范围'],
  add: ['Add access token', '添加访问令牌'],
  name: ['Name', '名称'],
  optional: ['Optional', '可选'],
  token: ['Token', '令牌'],
  owner: ['Owner', '所有者'],
  created: ['Created', '创建时间'],
  expires: ['Expires', '过期时间'],
  unlimited: ['Unlimited', '无限期'],
  lastDay: ['Valid through', '有效期至'],
  expired: ['Expired', '已过期'],
  used: ['Last used', '最近使用'],
  never: ['Never', '从未'],
  empty: ['No tokens', '暂无令牌'],
  remove: ['Delete {0}', '删除 {0}'],
  removeText: ['Programs that use it lose access immediately.', '使用它的程序将立即失去访问权限。'],
  madeText: ['Copy it now: it is not shown again.', '请立即复制，之后不再显示。']
} as const
