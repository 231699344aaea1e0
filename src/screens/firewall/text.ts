import type { Translation } from '../../text/language.ts'

export const TEXT = {
  firewall: ['Firewall', '防火墙'],
  mode: ['Mode', '模式'],
  rules: ['Rules', '规则'],
  theFirewall: ['the firewall', '防火墙'],
  rulesMode: ['Rules', '规则'],
  blockedMode: ['All ports blocked', '阻止所有端口'],
  openMode: ['All ports open', '开放所有端口'],
  rulesModeText: [
    'The ports of enabled rules are open, for the source that a rule names. All others are blocked.',
    '仅开放已启用规则的端口，规则指定来源时仅对该来源开放，其余全部阻止。'
  ],
  blockedModeText: ['All ports are blocked. The rules are ignored.', '所有端口均被阻止，规则被忽略。'],
  openModeText: ['All ports are open. The rules are ignored.', '所有端口均开放，规则被忽略。'],
  always: [
    'In every mode, the ports of the console, existing connections, ICMP and DHCP stay open.',
    '在任何模式下，控制台端口、已有连接、ICMP 和 DHCP 始终开放。'
  ],
  unknownMode: [
    'The state of this machine’s firewall is unknown. Setting of the hub: {0}.',
    '此机器防火墙的状态未知。中控的设置：{0}。'
  ],
  unknown: ['Unknown', '未知'],
  otherFirewalls: [
    'Other firewalls, of this machine or of the network, may block ports as well.',
    '此机器或网络中的其他防火墙也可能阻止端口。'
  ],
  empty: ['No rules', '暂无规则'],
  ports: ['Ports', '端口'],
  portsHint: ['A port, or a range such as 9000-9010', '单个端口，或范围，例如 9000-9010'],
  protocol: ['Protocol', '协议'],
  both: ['TCP and UDP', 'TCP 和 UDP'],
  source: ['Source', '来源'],
  sourceHint: [
    'Address, or network such as 192.168.1.0/24; empty: everywhere',
    '地址或网段，例如 192.168.1.0/24；留空表示不限'
  ],
  everywhere: ['Everywhere', '不限'],
  from: ['{0} from {1}', '{0}（来自 {1}）'],
  except: ['{0} except from {1}', '{0}（来自 {1} 的除外）'],
  openFrom: ['Open from {0}', '对 {0} 开放'],
  remark: ['Remark', '备注'],
  enabled: ['Enabled', '启用'],
  status: ['Status', '状态'],
  disabled: ['Disabled', '已停用'],
  effect: ['Ports of the hub', '中控的端口'],
  opens: ['Opens {0}', '开放 {0}'],
  leavesBlocked: ['Blocked: {0}', '已阻止：{0}'],
  otherRule: ['Opened by another rule: {0}', '由其他规则开放：{0}'],
  noEffect: ['None', '无'],
  ignored: ['Ignored in this mode', '在此模式下被忽略'],
  received: ['Received', '已接收'],
  packets: ['{0} packets, {1}', '{0} 个数据包，{1}'],
  add: ['Add rule', '添加规则'],
  edit: ['Edit {0}', '编辑 {0}'],
  remove: ['Delete {0}', '删除 {0}'],
  enable: ['Enable {0}', '启用 {0}'],
  disable: ['Disable {0}', '停用 {0}'],
  tooMany: ['At most {0} rules', '最多 {0} 条规则'],
  refused: ['Blocked since {0}: {1}', '自 {0} 起阻止：{1}'],
  draft: ['Changes are not applied yet', '更改尚未应用'],
  outdated: [
    'Changed meanwhile by somebody else. If you keep your changes, they replace the newer settings.',
    '设置已被他人更改。保留更改将覆盖新设置。'
  ],
  blocksNow: ['Blocks {0}', '将阻止 {0}'],
  opensNow: ['Opens {0}', '将开放 {0}'],
  nothing: ['No port of the hub is opened or blocked.', '不会开放或阻止中控的任何端口。'],
  others: ['Ports of other programs on this machine are blocked as well.', '此机器上其他程序的端口也会被阻止。'],
  endsNow: ['These streams end at once: {0}', '以下流将立即中断：{0}'],
  cannotReturn: [
    'These streams stay, but cannot reconnect after an interruption: {0}',
    '以下流将保持，但中断后无法重新连接：{0}'
  ],
  hiddenStreams: ['channels of other users', '其他用户的频道'],
  confirmHint: [
    'A change that blocks ports is undone after {0} s unless you confirm it.',
    '阻止端口的更改如不确认，将在 {0} 秒后撤销。'
  ],
  keep: ['Keep my changes', '保留更改'],
  different: ['These settings are not in effect', '这些设置未生效'],
  differentText: [
    'They were imported, or another program has removed the table of the hub.',
    '设置可能来自导入，或其他程序删除了中控的规则表。'
  ],
  applyAgain: ['Apply them', '应用这些设置'],
  usedBy: ['Running channels', '运行中的频道'],
  open: ['Open', '开放'],
  blocked: ['Blocked', '已阻止'],
  alwaysOpen: ['Always open', '始终开放']
} as const satisfies Record<string, Translation>
