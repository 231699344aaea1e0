import type { Translation } from '../../text/language.ts'

export const HUBS: Translation = ['Hubs', '中控']

export const HUB_GROUPS: Translation = ['Hub groups', '中控组']

export const TEXT = {
  count: ['{0} hubs', '{0} 台中控'],
  lists: ['List', '列表'],
  pending: ['Pending approval', '待审批'],
  accepted: ['Accepted', '已接受'],
  rejected: ['Rejected', '已拒绝'],
  warnings: ['Warnings', '告警'],
  favorites: ['Favorites', '收藏'],
  group: ['Group', '分组'],
  older: ['This hub has an older version than the cloud. Update it.', '此中控的版本低于云平台，请更新。'],
  copies: [
    'Also connected with the key of this hub: {0}. Delete the cloud on all copies but one.',
    '以下中控使用相同密钥连接：{0}。请仅保留一台，并在其余中控上移除云平台。'
  ],
  ownName: ['Name on the hub: {0}', '中控上的名称：{0}'],
  open: ['Open {0}', '打开 {0}'],
  update: ['Update {0}', '更新 {0}'],
  rename: ['Rename {0}', '重命名 {0}'],
  favorite: ['Add to favorites', '加入收藏'],
  unfavorite: ['Remove from favorites', '取消收藏'],
  move: ['Move to group', '移动到组'],
  noneWarning: ['No hub has a warning', '没有中控告警'],
  noneFavorite: ['Add hubs from the menu of a hub.', '可通过中控的菜单加入收藏。'],
  noneGroup: ['Move hubs to the group from the menu of a hub.', '可通过中控的菜单将其移入分组。'],
  connection: ['Connection', '连接'],
  online: ['Online', '在线'],
  offline: ['Offline', '离线'],
  waitingOffline: ['{0}, offline', '{0}，离线'],
  name: ['Name', '名称'],
  state: ['State', '状态'],
  serial: ['Serial number', '序列号'],
  address: ['Connected from', '来源地址'],
  version: ['Version', '版本'],
  noData: ['No data', '无数据'],
  silent: ['The hub is connected, but does not report its state.', '中控已连接，但未报告状态。'],
  offlineSince: ['Offline since', '离线时间'],
  registered: ['Registered', '注册时间'],
  none: ['No hubs', '暂无中控'],
  join: [
    'Set the cloud in the settings of a hub: its address, and the invitation. Then accept the hub here.',
    '在中控的设置中填写云平台的地址和邀请码，然后在此接受该中控。'
  ],
  nonePending: ['No hub waits for approval.', '没有等待审批的中控。'],
  accept: ['Accept {0}', '接受 {0}'],
  acceptedOutcome: ['{0} accepted', '已接受 {0}'],
  reject: ['Reject {0}', '拒绝 {0}'],
  rejectText: [
    'The cloud closes its connection to it. Rejected hubs can be accepted later.',
    '云平台将关闭与其的连接。之后仍可接受被拒绝的中控。'
  ],
  remove: ['Delete {0}', '删除 {0}'],
  removeText: [
    'It stops connecting to this cloud until it is set up there again. What runs on it goes on.',
    '它将停止连接此云平台，直到在中控上重新设置。其上的任务继续运行。'
  ],
  invitation: ['Invitation', '邀请码'],
  invitationText: [
    'Whoever has the invitation can register a hub, which then waits for approval.',
    '持有邀请码者可注册中控，注册后需等待审批。'
  ],
  cloudAddress: ['Address of the cloud', '云平台地址'],
  renew: ['Renew invitation', '更换邀请码'],
  renewText: [
    'The current invitation becomes invalid. Hubs that are not accepted yet need the new one.',
    '当前邀请码将失效。尚未接受的中控需使用新的邀请码。'
  ],
  renewed: ['Invitation renewed', '已更换邀请码']
} as const satisfies Record<string, Translation>
