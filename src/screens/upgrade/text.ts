export const TEXT = {
  hub: ['Hub', '中控'],
  newest: ['Newest version', '最新版本'],
  isNewest: ['The installed version is the newest.', '已安装的版本是最新版本。'],
  idle: ['No update in progress.', '没有正在进行的更新。'],
  title: ['Consoles', '控制台版本'],
  place: ['Slot', '安装槽'],
  version: ['Version', '版本'],
  commit: ['Commit', '提交'],
  state: ['State', '状态'],
  development: ['Development key', '开发密钥'],
  upload: ['Upload update', '上传更新'],
  checking: ['Checking', '正在检查'],
  cancelling: ['Cancelling', '正在取消'],
  verifying: ['Verifying', '正在校验'],
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
  older: ['This version is older than the current one.', '该版本低于当前版本。']
} as const
