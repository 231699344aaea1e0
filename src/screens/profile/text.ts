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
  sessions: ['Sessions', '会话'],
  others: ['End all other sessions', '结束其他所有会话']
} as const
