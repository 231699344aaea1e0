export const TEXT = {
  brand: ['Headend', 'Headend'],
  title: ['Sign in', '登录'],
  lead: ['Fleet and channels of this hub', '管理此中心的设备与频道'],
  name: ['User name', '用户名'],
  password: ['Password', '密码'],
  submit: ['Sign in', '登录'],
  changeTitle: ['Choose a new password', '设置新密码'],
  changeLead: ['Before anything else, replace the first password.', '请先更换初始密码，再进行其他操作。'],
  leave: ['Sign out', '退出登录']
} as const
