export const TEXT = {
  title: ['Sign in', '登录'],
  name: ['User name', '用户名'],
  password: ['Password', '密码'],
  first: ['The default password is still in use.', '当前仍在使用默认密码。'],
  demanded: ['Your user group requires a second factor.', '您的用户组要求启用双重验证。'],
  leave: ['Sign out', '退出登录']
} as const
