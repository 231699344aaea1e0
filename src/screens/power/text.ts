export const TEXT = {
  rebootTitle: ['Restart or shut down', '重启或关机'],
  rebootText: [
    'Restarts or shuts down the machine on which the hub runs. All channels stop. After a restart those that are enabled start again by themselves.',
    '重启或关闭中控所在的机器。所有频道都会停止。重启后，已启用的频道会自动恢复运行。'
  ],
  recordings: [
    'Recordings and streams that devices make without the hub continue.',
    '设备自身进行的录制，以及不经过中控的直播会继续。'
  ],
  stopping: ['Channels that stop', '将停止的频道'],
  nothing: ['None', '无'],
  uploads: ['Uploads that are interrupted', '将中断的上传'],
  inhibited: ['Blocked by', '被以下程序阻止'],
  restart: ['Restart', '重启'],
  shutDown: ['Shut down', '关机'],
  back: ['Back', '返回'],
  restartQuestion: ['Restart the machine?', '重启机器？'],
  shutDownQuestion: ['Shut down the machine?', '关闭机器？'],
  shutDownNote: ['It can be switched on again only at the machine.', '之后只能在机器旁重新开机。'],
  resetQuestion: ['Reset all settings?', '重置所有设置？'],
  stops: ['These stop: {0}.', '以下内容会停止：{0}。'],
  someOthers: ['channels of other users', '其他用户的频道'],
  cannotUndo: ['This cannot be undone.', '此操作无法撤销。'],

  restarting: ['The machine is restarting', '机器正在重启'],
  restartingText: [
    'This page opens the console when the hub answers again.',
    '中控恢复响应后，此页面会自动打开控制台。'
  ],
  away: ['The hub does not answer', '中控没有响应'],
  awayText: [
    'The machine is restarting. This page opens the console when the hub answers again.',
    '机器正在重启。中控恢复响应后，此页面会自动打开控制台。'
  ],
  long: [
    'This takes longer than usual. Check the power and the network of the machine.',
    '用时比平常长。请检查机器的电源和网络。'
  ],
  restarted: ['The machine has restarted', '机器已重启'],
  shuttingDown: ['The machine is shutting down', '机器正在关机'],
  shuttingDownText: ['Do not disconnect the power yet.', '请先不要断开电源。'],
  stopped: ['The hub no longer answers', '中控已不再响应'],
  stoppedText: [
    'The machine was told to shut down. Whether it is off can be seen only there. This page opens the console when the hub answers again.',
    '机器已收到关机指令。机器是否已断电，只能在现场确认。中控恢复响应后，此页面会自动打开控制台。'
  ],
  since: ['For {0}', '已持续 {0}'],

  resetTitle: ['Reset all settings', '重置所有设置'],
  resetText: [
    'The hub starts again as at its first start. This takes a few seconds and cannot be undone.',
    '中控将恢复到首次启动时的状态。此过程需要几秒钟，且无法撤销。'
  ],
  goes: ['Deleted', '将删除'],
  goesList: [
    'Users, groups and access tokens. Devices with their groups and connection settings. Channels, inputs, outputs, presets and NDI routers. Firmware files, logs, copies of the database on the hub, and all other settings.',
    '用户、用户组和访问令牌；设备、设备组及其连接配置；频道、输入、输出、预设和 NDI 路由；固件文件、日志、中控上的数据库副本以及其他所有设置。'
  ],
  stays: ['Kept', '将保留'],
  staysList: [
    'Addresses and firewall of the machine, the installed version of the console, backups already made, but not their schedule, and everything on the devices: their recordings and settings.',
    '机器的网络地址和防火墙、已安装的控制台版本、已创建的备份（不含定时设置），以及设备上的录制文件和设置。'
  ],
  keepNetwork: ['Keep the network settings', '保留网络设置'],
  keepNetworkHint: [
    'Ports, HTTPS with its certificates, further names of the hub, notes on interfaces',
    '端口、HTTPS 及其证书、中控的其他名称、接口备注'
  ],
  keepLicense: ['Keep the license', '保留许可证'],
  name: ['Name of the hub', '中控名称'],
  nameHint: ['Type {0} to confirm that you want to reset this hub.', '请输入 {0}，以确认要重置此中控。'],
  wrongName: ['This is not the name of the hub', '与中控名称不符'],
  password: ['Your password', '您的密码'],
  resetting: ['All settings are being reset', '正在重置所有设置'],
  resettingText: ['Do not disconnect the power. The hub starts again by itself.', '请勿断开电源，中控会自动重新启动。'],
  moved: ['If the console had another port before, it is now at:', '如果控制台之前使用其他端口，现在的地址是：'],
  done: ['All settings have been reset', '所有设置已重置'],
  doneText: [
    'The hub is as at its first start. Sign in as Admin with the password Admin, then choose a new password.',
    '中控已恢复到首次启动时的状态。请使用用户名 Admin 和密码 Admin 登录，然后设置新密码。'
  ],
  signIn: ['Sign in', '登录']
} as const
