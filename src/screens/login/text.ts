import type { Translation } from '../../text/language.ts'

export const title: Translation = ['Sign in', '登录']
export const name: Translation = ['User name', '用户名']
export const password: Translation = ['Password', '密码']
export const first: Translation = ['The default password is still in use.', '当前仍在使用默认密码。']
export const demanded: Translation = ['Your user group requires a second factor.', '您的用户组要求启用双重验证。']
export const setupCode: Translation = ['Setup code', '设置码']
export const setupLead: Translation = [
  'The default password is still in use. To sign in with it from another machine, enter the setup code of the hub’s machine. It is on the screen of that machine, and in its journal: journalctl -u headend | grep "Setup code"',
  '当前仍在使用默认密码。要从其他机器用它登录，请输入中控所在机器的设置码。设置码显示在该机器的屏幕上，也在其日志中：journalctl -u headend | grep "Setup code"'
]
export const leave: Translation = ['Sign out', '退出登录']
