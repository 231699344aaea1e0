import type { Translation } from '../../text/language.ts'

export const title: Translation = ['Sign in', '登录']
export const name: Translation = ['User name', '用户名']
export const password: Translation = ['Password', '密码']
export const first: Translation = ['The default password is still in use.', '当前仍在使用默认密码。']
export const demanded: Translation = ['Your user group requires a second factor.', '您的用户组要求启用双重验证。']
export const setupCode: Translation = ['Setup code', '设置码']
export const setupLead: Translation = [
  'With the default password, other machines also need the setup code. It is on the screen of the hub’s machine, and in its journal: journalctl -u headend | grep Setup',
  '使用默认密码时，从其他机器登录还需要设置码。它显示在中控机器的屏幕上，也在其日志中：journalctl -u headend | grep Setup'
]
export const leave: Translation = ['Sign out', '退出登录']
