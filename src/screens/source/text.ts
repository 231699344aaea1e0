export const TEXT = {
  inputs: ['Inputs', '输入'],
  outputs: ['Outputs', '输出'],
  name: ['Name', '名称'],
  protocol: ['Protocol', '协议'],
  address: ['Address', '地址'],
  channels: ['Channels', '频道'],
  othersChannel: ['Channel of other users', '其他用户的频道'],
  state: ['State', '状态'],
  addInput: ['Add input', '添加输入'],
  addOutput: ['Add output', '添加输出'],
  edit: ['Edit {0}', '编辑 {0}'],
  remove: ['Delete {0}', '删除 {0}'],
  removeText: ['This cannot be undone.', '此操作无法撤销。'],
  noInputs: ['No inputs yet', '暂无输入'],
  noOutputs: ['No outputs yet', '暂无输出'],
  connect: ['URL for the remote end', '对端 URL']
} as const
