export const TEXT = {
  connecting: ['Connecting', '正在连接'],
  noStream: ['No stream at the moment. It plays as soon as it arrives.', '当前没有码流，到达后将自动播放。'],
  stopped: ['The channel is stopped. It plays as soon as it is started.', '频道已停止，启动后将自动播放。'],
  noCodec: [
    'This browser does not play {0}. Use another browser, or change the codec at the encoder.',
    '此浏览器不支持 {0}。请更换浏览器，或在编码器上更改编码格式。'
  ],
  noSound: [
    'No sound: browsers do not play {0}. Set the audio of the encoder to AAC.',
    '无声音：浏览器不支持 {0}。请将编码器的音频格式设为 AAC。'
  ],
  muted: ['The browser has started without sound.', '浏览器已静音播放。'],
  mute: ['Mute', '静音'],
  fullScreen: ['Full screen', '全屏'],
  turnOnSound: ['Turn on sound', '打开声音'],
  toChannel: ['Go to channel', '前往频道']
} as const
