export const TEXT = {
  brand: ['Headend', 'Headend'],
  title: ['Sign in', '登录'],
  lead: ['Fleet and channels of this hub', '管理此中心的设备与频道'],
  name: ['User name', '用户名'],
  password: ['Password', '密码'],
  submit: ['Sign in', '登录'],
  incorrect: ['Incorrect account or password', '账号或密码错误'],
  locked: ['Too many attempts: try again in {0} s.', '尝试次数过多，请在 {0} 秒后重试。'],
  changeTitle: ['Choose a new password', '设置新密码'],
  changeLead: [
    'The first password still stands. From another machine nothing else is possible before it is changed.',
    '当前仍在使用初始密码。在更换密码之前，无法从其他计算机进行任何操作。'
  ],
  leave: ['Sign out', '退出登录']
} as const
