import type { Translation } from '../../text/language.ts'

export const title: Translation = ['Sign in', '登录']
export const name: Translation = ['User name', '用户名']
export const password: Translation = ['Password', '密码']
export const first: Translation = ['The default password is still in use.', '当前仍在使用默认密码。']
export const demanded: Translation = ['Your user group requires a second factor.', '您的用户组要求启用双重验证。']
export const leave: Translation = ['Sign out', '退出登录']
