import type { Translation } from '../../text/language.ts'

export const TEXT = {
  title: ['NDI sources', 'NDI 源'],
  sources: ['In the network', '网络中的源'],
  presets: ['Presets', '预设'],
  add: ['Add preset', '添加预设'],
  edit: ['Edit {0}', '编辑 {0}'],
  remove: ['Delete {0}', '删除 {0}'],
  removeText: ['This cannot be undone.', '此操作无法撤销。'],
  savePreset: ['Save {0} as a preset', '将 {0} 另存为预设'],
  save: ['Save as preset', '另存为预设'],
  use: ['Use {0} in a channel', '在频道中使用 {0}'],
  useShort: ['Use in channel', '用于频道'],
  channel: ['Channel', '频道'],
  choose: ['Choose a channel', '选择频道'],
  noInput: ['It has no input yet.', '该频道尚无输入。'],
  replaces: ['Its main input {0} is replaced.', '将替换其主输入 {0}。'],
  becomesPreset: ['The source is saved as a preset with this name.', '该源将以此名称保存为预设。'],
  name: ['Alias', '别名'],
  source: ['NDI name', 'NDI 名称'],
  state: ['State', '状态'],
  online: ['Found', '已发现'],
  offline: ['Not found, or does not answer', '未发现或无响应'],
  silent: ['Announced, does not answer', '有公告但无响应'],
  unknown: ['Not known', '未知'],
  usedBy: ['Used by', '使用者'],
  othersChannel: ['channel of other users', '其他用户的频道'],
  router: ['router {0}', '路由 {0}'],
  unused: ['Not used', '未使用'],
  formatUnknown: ['Format not known until a channel receives it', '频道接收后才能获知格式'],
  noPicture: ['No picture yet', '暂无画面'],
  needsRuntime: ['No picture without the NDI runtime', '缺少 NDI 运行库，无法显示画面'],
  dnsSd: [
    'These sources were found without the NDI runtime. They can be saved, but not received.',
    '以上源在没有 NDI 运行库的情况下发现，可以保存，但无法接收。'
  ],
  none: ['No NDI sources found', '未发现 NDI 源'],
  noneText: [
    'A source appears here when it is in the same network and its group is public. Other networks need extra addresses or a discovery server; firewalls must admit UDP 5353, and TCP and UDP from 5960 up.',
    '同一网段且属于公共分组的源会显示在此处。跨网段需要附加地址或发现服务器；防火墙须放行 UDP 5353 以及 TCP 与 UDP 5960 及以上端口。'
  ],
  noMatch: ['Nothing found', '未找到'],
  noPresets: ['No presets yet', '暂无预设'],
  noPresetsText: [
    'A preset is an NDI source with a name of your own. Channels receive it with its settings.',
    '预设是带有自定义名称的 NDI 源，频道将按其设置接收。'
  ],
  missing: ['Saved or routed, but not found', '已保存或已路由但未发现'],
  mayBe: ['Possible causes', '可能的原因'],
  count: ['{0} sources', '{0} 个源'],
  oneSource: ['1 source', '1 个源']
} as const satisfies Record<string, Translation>
