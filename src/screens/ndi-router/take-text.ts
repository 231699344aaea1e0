// Sentences about taking routes.
export const TEXT = {
  takeCount: ['Take {0}', '切换 {0} 项'],
  armedCount: ['{0} armed', '已预选 {0} 项'],
  change: ['{0}: {1} → {2}', '{0}：{1} → {2}'],
  moreChanges: ['and {0} more', '及其他 {0} 项'],
  clear: ['Clear', '清除'],
  disarmed: [
    'The matrix was changed, so nothing is armed any more. Check the numbers and arm again.',
    '矩阵已更改，预选已取消。请核对编号后重新预选。'
  ],
  saveAsSalvo: ['Save as salvo', '存为预设组'],
  takeLater: ['Take later', '稍后切换'],
  typedDestination: ['Destination: {0}', '目标：{0}'],
  typedSource: ['Source for {0}: {1}', '{0} 的源：{1}'],
  notFound: ['Nothing begins with “{0}”', '没有以“{0}”开头的项'],
  announceArmed: ['Armed: {0} to {1}', '已预选：{0} 到 {1}'],
  announceDisarmed: ['No longer armed: {0}', '已取消预选：{0}'],
  announceTaken: ['{0} now shows {1}', '{0} 现在显示 {1}'],
  announceTakenCount: ['{0} destinations switched', '已切换 {0} 个目标'],
  announceAlready: ['{0} shows {1} already', '{0} 已在显示 {1}'],
  announceCleared: ['Nothing is armed', '没有预选项'],
  viewOnly: [
    'You can look but not switch: the permission to edit NDI is missing.',
    '您只能查看，不能切换：缺少 NDI 编辑权限。'
  ],
  stale: [
    'No connection to the hub: the state may have changed. Takes are possible again when it responds.',
    '与中控的连接已断开：状态可能已变化。恢复响应后才能切换。'
  ],
  // Override of a lock
  overrideTitle: ['{0} is locked', '{0} 已锁定'],
  overrideText: ['{0} locked it. Switch it anyway?', '由 {0} 锁定。仍要切换吗？'],
  overrideConfirm: ['Override the lock', '忽略锁定'],
  overrideAgain: ['Switch the locked destination {0}?', '确定切换已锁定的目标 {0}？'],
  overrideAgainText: [
    'What it shows now goes off air on it at once. The log names you.',
    '其当前画面会立即被换下，日志会记录您的操作。'
  ],
  unlockAgain: ['Remove the lock of {0} from {1}?', '确定移除 {0} 对 {1} 的锁定？'],
  unlockAgainText: ['Everybody can switch it then. The log names you.', '之后所有人都可以切换它，日志会记录您的操作。'],
  unlockText: ['{0} locked it. Unlock it anyway?', '由 {0} 锁定。仍要解锁吗？'],
  taken: ['Taken', '已切换'],
  // Before and after
  destination: ['Destination', '目标'],
  before: ['Now', '当前'],
  after: ['After', '之后'],
  unchanged: ['unchanged', '不变'],
  // Undo
  undoTitle: ['Undo the last take?', '撤销上次切换？'],
  undoText: ['{0} took it {1}.', '由 {0} 在{1}切换。'],
  undoConfirm: ['Undo take', '撤销切换']
} as const
