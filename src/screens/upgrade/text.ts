export const TEXT = {
  hub: ['Hub', '中控'],
  newest: ['Newest version', '最新版本'],
  isNewest: ['The installed version is the newest.', '已安装的版本是最新版本。'],
  idle: ['No update in progress.', '没有正在进行的更新。'],
  title: ['Consoles', '控制台版本'],
  consoleOnly: ['Console only', '仅控制台'],
  place: ['Slot', '安装槽'],
  version: ['Version', '版本'],
  commit: ['Commit', '提交'],
  time: ['Built', '构建时间'],
  state: ['State', '状态'],
  development: ['Development key', '开发密钥'],
  upload: ['Upload update', '上传更新'],
  checking: ['Checking', '正在检查'],
  cancelling: ['Cancelling', '正在取消'],
  verifying: ['Verifying', '正在校验'],
  discard: ['Discard {0}', '放弃 {0}'],
  discarded: ['Update discarded', '已放弃更新'],
  install: ['Install {0}', '安装 {0}'],
  revert: ['Roll back to {0}', '回退到 {0}'],
  keys: ['Trusted keys', '受信任的密钥'],
  noKeys: ['No signing key is trusted.', '未信任任何签名密钥。'],
  installKey: ['Install the public key of the issuer, and restart the hub.', '请安装发布方的公钥，然后重启中控。'],
  keysNote: ['SHA-256; set by whoever installed the hub', 'SHA-256；由中控的安装人员设定'],
  stays: [
    'If it does not load in this browser, the current version is restored.',
    '如果无法在此浏览器中加载，将恢复当前版本。'
  ],
  hardware: ['Hardware', '硬件'],
  updateHardware: ['Update hardware', '更新硬件'],
  keepPower: ['Do not switch off the machine until the update has ended.', '更新结束前请勿关闭机器。'],
  reboot: ['Restart or shut down', '重启或关机'],
  older: ['This version is older than the current one.', '该版本低于当前版本。'],
  restarts: [
    'The hub restarts. If the new version does not work, the current version is restored.',
    '中控将重启。如果新版本无法正常运行，将恢复当前版本。'
  ],
  lost: [
    'The hub restarts with the data and settings that it had in that version. All later changes are lost.',
    '中控将重启，并恢复到该版本当时的数据和设置。此后的所有更改都会丢失。'
  ],
  refused: ['Changes are refused until the trial ends.', '试运行结束前，无法进行更改。'],
  engine: [
    'Streams still run with version {0}. The update takes effect for them when they are switched over.',
    '流仍以版本 {0} 运行，切换后更新才会对其生效。'
  ],
  switchOver: ['Switch over', '切换'],
  switchOverStarted: ['Switch-over started', '已开始切换'],
  rolledBack: ['Version {0} was rolled back', '版本 {0} 已回退'],
  channels: ['Channels: {0}', '频道：{0}'],
  log: ['Log', '日志'],
  daily: ['Check once a day', '每天检查一次'],
  preReleases: ['Also offer pre-releases', '同时提供预发布版本'],
  disclaimer: [
    'I understand that they may be unstable or lose settings, and do not use them for productions.',
    '我了解预发布版本可能不稳定或丢失设置，不会用于正式制作。'
  ]
} as const
