export const TEXT = {
  on: ['On', '已启用'],
  off: ['Off', '未启用'],
  left: ['Recovery codes left: {0}', '剩余恢复码：{0}'],
  lead: [
    'A code from an authenticator app, in addition to the password.',
    '除密码外，登录时还需输入身份验证器应用的验证码。'
  ],
  disable: ['Disable', '停用'],
  renew: ['New recovery codes', '重新生成恢复码'],
  password: ['Password', '密码'],
  nick: ['Display name', '显示名称'],
  nickHint: [
    'Shown to you and to other users. Sign-in and logs use the user name.',
    '您和其他用户可见。登录和日志仍使用用户名。'
  ],
  appearance: ['Language and theme', '语言与主题'],
  appearanceHint: [
    'Applies to everyone who signs in with this browser. Other browsers keep their own settings.',
    '适用于在此浏览器中登录的所有用户，其他浏览器保留各自的设置。'
  ],
  language: ['Language', '语言'],
  theme: ['Theme', '主题'],
  system: ['As the system', '跟随系统'],
  light: ['Light', '浅色'],
  dark: ['Dark', '深色'],
  sessions: ['Sessions', '会话'],
  others: ['End all other sessions', '结束其他所有会话']
} as const
