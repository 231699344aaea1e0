export const TEXT = {
  title: ['Wall display', '大屏'],
  opening: ['Opening the wall display', '正在打开大屏'],
  takeOver: ['Open the wall display?', '打开大屏？'],
  takeOverText: [
    '{0} is signed in to this browser and will be signed out. The wall display then stays until an administrator ends it.',
    '{0} 已在此浏览器登录，将被退出。之后大屏会一直保持，直到管理员结束它。'
  ],
  takeOverConfirm: ['Open wall display', '打开大屏'],
  stay: ['Stay signed in', '保持登录'],
  badCode: ['The display link is invalid', '大屏链接无效'],
  badCodeText: [
    'It was used before, or is older than 15 minutes. Create a new link under User management, Sessions.',
    '链接已被使用或已超过 15 分钟。请在“用户管理 > 会话”中创建新链接。'
  ],
  lockedText: ['Too many attempts: try again in {0} s.', '尝试次数过多，请在 {0} 秒后重试。'],
  ended: ['This display is not signed in', '此大屏未登录'],
  endedText: [
    'Create a link under User management, Sessions, and open it here.',
    '请在“用户管理 > 会话”中创建链接，并在此打开。'
  ],
  signIn: ['Sign in', '登录'],
  defaultPassword: ['The default password is still in use', '当前仍在使用默认密码'],
  defaultPasswordText: [
    'Until {0} changes it, displays on other machines show nothing.',
    '在 {0} 修改密码之前，其他机器上的大屏不显示内容。'
  ],
  unreachable: ['No connection to the hub', '与中控的连接已断开'],
  retrying: ['Retrying automatically', '正在自动重试'],
  connected: ['Connected', '已连接'],
  noneStarted: ['No channel is started', '没有已启动的频道'],
  noneSelected: ['None of the selected channels exists', '所选频道均不存在'],
  choose: ['Choose channels', '选择频道'],
  page: ['Page {0} of {1}', '第 {0} 页，共 {1} 页'],
  previous: ['Previous page', '上一页'],
  next: ['Next page', '下一页'],
  hold: ['Hold page', '停留在此页'],
  darkInsecure: [
    'The screen may go dark: over plain HTTP no browser keeps it on. Open the wall over HTTPS, or switch off the power saving of this machine.',
    '屏幕可能会熄灭：通过普通 HTTP 访问时，浏览器无法保持屏幕常亮。请通过 HTTPS 打开大屏，或关闭本机的节能设置。'
  ],
  darkRefused: [
    'The screen may go dark: this browser does not keep it on. Switch off the power saving of this machine.',
    '屏幕可能会熄灭：此浏览器不保持屏幕常亮。请关闭本机的节能设置。'
  ],
  understood: ['Close', '关闭'],
  fullScreen: ['Full screen', '全屏'],
  close: ['Go to dashboard', '前往仪表盘'],
  signOut: ['Sign out', '退出登录']
} as const
