export const TEXT = {
  title: ['Sign in', '登录'],
  lead: ['Fleet and channels of this hub', '管理此中心的设备与频道'],
  name: ['User name', '用户名'],
  password: ['Password', '密码'],
  submit: ['Sign in', '登录'],
  incorrect: ['Incorrect account or password', '账号或密码错误'],
  locked: ['Too many attempts. Try again in {0} s.', '尝试次数过多，请在 {0} 秒后重试。'],
  changeTitle: ['Choose a new password', '设置新密码'],
  changeLead: [
    'The first password still stands. Before anything else is possible from this machine, replace it.',
    '当前仍在使用初始密码。从本机进行任何操作之前，请先更换密码。'
  ],
  old: ['Current password', '当前密码'],
  fresh: ['New password', '新密码'],
  again: ['Repeat new password', '确认新密码'],
  change: ['Change password', '修改密码'],
  wrongOld: ['The current password is wrong', '当前密码错误'],
  later: ['Not now', '暂不'],
  changed: ['Password changed. Other sessions were ended.', '密码已修改，其他会话已结束。'],
  same: ['Choose a password other than the current one', '新密码不能与当前密码相同']
} as const
