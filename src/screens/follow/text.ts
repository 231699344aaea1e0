export const TEXT = {
  title: ['New address of the hub', '中控的新地址'],
  opening: ['Signing in at the new address', '正在新地址登录'],
  unreachable: ['No connection to the hub', '与中控的连接已断开'],
  retrying: ['Retrying automatically', '正在自动重试'],
  expired: ['This link has expired', '此链接已失效'],
  expiredText: [
    'It signs in once, within a short time after the change. Sign in with your password.',
    '该链接仅在更改后的短时间内有效，且只能登录一次。请使用密码登录。'
  ],
  signIn: ['Sign in', '登录']
} as const
