export const TEXT = {
  users: ['Users', '用户'],
  groups: ['User groups', '用户组'],
  sessions: ['Sessions', '会话'],
  rules: ['Password rules', '密码规则'],
  defaultAccess: ['Default access', '默认可见范围'],

  name: ['User name', '用户名'],
  nick: ['Display name', '显示名称'],
  nickHint: ['Optional', '可选'],
  group: ['User group', '用户组'],
  never: ['Never', '从未'],
  noneFound: ['Nothing found', '未找到'],
  add: ['Add user', '添加用户'],
  edit: ['Edit {0}', '编辑 {0}'],
  maxUsers: ['max users {0}', '最多 {0} 个用户'],
  maxGroups: ['max groups {0}', '最多 {0} 个用户组'],
  save: ['Save', '保存'],
  move: ['Move to group', '移动到组'],
  remove: ['Delete {0}', '删除 {0}'],
  removeText: ['Sessions and access tokens end immediately.', '其会话和访问令牌将立即失效。'],
  adminStays: ['Admin cannot be moved, renamed or deleted', 'Admin 不可移动、重命名或删除'],

  groupName: ['Name', '名称'],
  desc: ['Description', '描述'],
  rights: ['Permissions', '权限'],
  allRights: ['All', '全部'],
  addGroup: ['Add user group', '添加用户组'],
  removeGroupText: ['Its members move to Viewer.', '其成员将移动到 Viewer 组。'],
  builtIn: [
    'A default group cannot be renamed, deleted or given other permissions',
    '默认用户组不可重命名、删除或更改权限'
  ],
  members: ['Members', '成员'],
  addMember: ['Add member', '添加成员'],
  takeOut: ['Move to Viewer', '移动到 Viewer 组'],

  also: ['Also changed: {0}', '同时更改：{0}'],
  inside: ['{0} ({1})', '{0}（{1}）'],
  secondFactor: ['Second factor', '双重验证'],
  on: ['On', '已启用'],
  reset: ['Reset second factor', '重置双重验证'],
  resetText: ['The password alone is then enough to sign in.', '重置后仅凭密码即可登录。'],
  demand: ['Require a second factor', '要求双重验证'],
  adminGrants: ['Only admin users can grant {0}', '仅管理员可授予{0}'],
  notHeld: ['You do not have this permission', '您没有此权限'],
  strongerUser: ['The user has permissions that you do not have', '该用户拥有您没有的权限'],
  strongerGroup: ['The group has permissions that you do not have', '该用户组拥有您没有的权限'],
  noFillableGroup: ['Every user group has permissions that you do not have', '每个用户组都拥有您没有的权限'],
  ownMembership: ['You cannot move yourself to another group', '不能将自己移动到其他用户组'],
  ownGroup: ['You cannot change the group that you are in', '不能更改自己所在的用户组'],

  guest: ['Guest', '访客'],
  guestHint: ['Sees only the channels and devices that you give access to.', '仅能看到您授予访问权限的频道和设备。'],
  channels: ['Channels', '频道'],
  lastDay: ['Last day', '最后一天'],
  lastDayHint: ['Afterwards the user cannot sign in. Empty: no end', '之后该用户无法登录；留空表示不限期'],
  expired: ['Expired', '已到期'],

  signedIn: ['Signed in', '登录时间'],

  rulesLead: [
    'Minimum numbers of characters in new passwords. 0 = no minimum. Until rules are saved here, programs may set passwords as a hash, which cannot be checked.',
    '仅适用于新密码：至少包含的字符数，0 表示不要求。在此保存规则之前，程序可以用无法检查的哈希值设置密码。'
  ],
  addDisplay: ['Add wall display', '添加大屏'],
  displayText: [
    'Open this link on the screen within {0} minutes. It works once. The screen shows problems and channels, can change nothing, and stays signed in until you end its session.',
    '请在 {0} 分钟内在该屏幕上打开此链接，链接只能使用一次。该屏幕显示问题和频道，无法进行任何更改，并保持登录，直到您结束其会话。'
  ],
  accountRules: ['Passwords and sessions', '密码与会话']
} as const
