import type { Translation } from '../../text/language.ts'

export const TEXT = {
  name: ['Name', '名称'],
  hubName: ['Name of the hub', '中控名称'],
  hostName: ['Host name', '主机名'],
  alsoHostName: ['The machine gets the host name {0}.', '机器的主机名将设为 {0}。'],
  ndiName: [
    'New NDI connections use the host name, unless the NDI settings have a machine name.',
    '除非在 NDI 设置中指定了主机名称，否则新的 NDI 连接将使用主机名。'
  ],
  needsReboot: [
    '{0} saved. The machine has the new host name after its next restart.',
    '已保存 {0}。机器下次重启后使用新的主机名。'
  ],

  registration: ['Device registration', '设备注册'],
  requireCode: ['Devices need the invitation code to register', '设备注册时需要邀请码'],
  codeOff: [
    'Every device that knows the address of the hub can ask for approval.',
    '任何知道中控地址的设备都可申请接入。'
  ],
  code: ['Invitation code', '邀请码'],
  codeHint: [
    '4 digits. Registered devices stay connected when it changes.',
    '4 位数字。更改后，已注册的设备保持连接。'
  ],

  addresses: ['Stream addresses', '流地址'],
  allowPrivate: ['Streams may use private addresses', '允许流使用私有地址'],
  allowed: [
    'Inputs and outputs may use every address, also this machine and its local networks. Only the metadata services of clouds are refused.',
    '输入和输出可使用任意地址，包括本机及其本地网络。仅拒绝云平台的元数据服务。'
  ],
  forbidden: [
    'Loopback, private and link-local addresses are refused as inputs and outputs, also if a name resolves to one. Multicast groups stay allowed.',
    '拒绝将回环、私有和链路本地地址用作输入或输出，域名解析到此类地址时同样拒绝。组播地址仍可使用。'
  ],
  forbid: ['Refuse private addresses', '拒绝私有地址'],
  forbidText: ['Running streams from and to private addresses end.', '正在使用私有地址的流将中断。'],

  previews: ['Previews', '预览'],
  dataSaver: ['Data saver on by default', '默认启用节省流量'],
  dataSaverHint: [
    'Fewer and smaller preview images in browsers without a setting of their own.',
    '在未单独设置的浏览器中，使用更少、更小的预览图。'
  ],

  https: ['HTTPS', 'HTTPS'],
  state: ['State', '状态'],
  certificate: ['Certificate', '证书'],
  sessions: ['Session expiry', '会话有效期'],
  power: ['Restart and reset', '重启与重置'],
  reboot: ['Restart or shut down', '重启或关机'],
  reset: ['Reset all settings', '重置所有设置']
} as const satisfies Record<string, Translation>
