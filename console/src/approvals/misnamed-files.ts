import type { Approval } from '@postrider/contract/console';

/** A file whose name promises another kind than its type. */
export type MisnamedFile = Pick<Approval['message']['attachments'][number], 'filename' | 'mime_type'>;

/** The ends of names that go with types. An office document is an archive, too. */
const kinds: readonly (readonly [RegExp, string])[] = [
  [/^application\/pdf$/, 'pdf'],
  [/^image\//, 'png jpg jpeg jpe jfif gif webp bmp tif tiff svg svgz heic heif avif ico'],
  [/^audio\//, 'mp3 wav ogg oga m4a flac aac opus amr mid midi weba webm'],
  [/^video\//, 'mp4 mov avi webm mkv m4v mpg mpeg ogv 3gp wmv ts'],
  [/msword|wordprocessingml/, 'doc docx docm dot dotx rtf'],
  [/ms-excel|spreadsheetml/, 'xls xlsx xlsm xlsb xlt xltx csv'],
  [/ms-powerpoint|presentationml/, 'ppt pptx pptm pps ppsx pot potx'],
  [/opendocument/, 'odt ods odp odg odf ott ots otp'],
  [/^message\/rfc822$/, 'eml mht mhtml txt'],
  [
    /[/-](?:zip|gzip|x-tar|tar|7z-compressed|rar|rar-compressed)$/,
    'zip gz tgz tar 7z rar docx xlsx pptx odt ods odp epub',
  ],
];
const programs =
  'exe com scr pif msi msix dll cpl sys lnk jar hta bat cmd ps1 vbs vbe jse wsf apk dmg pkg iso img';
const binary = new Set([
  ...kinds.slice(0, -2).flatMap(([, ends]) => ends.split(' ')),
  ...programs.split(' '),
]);
const textual = new Set('csv rtf svg ts bat cmd ps1 vbs'.split(' '));

/** Returns the files that say to be of one kind and are named as another, such as `invoice.exe` of the type `application/pdf`. */
export function misnamedFiles<File extends MisnamedFile>(files: readonly File[]): File[] {
  return files.filter(({ filename, mime_type }) => {
    const end = /\.([^.]+)$/.exec(filename ?? '')?.[1]?.toLowerCase();
    return end !== undefined && !fits(end.trim(), mime_type.toLowerCase().split(';')[0]?.trim() ?? '');
  });
}

function fits(end: string, type: string): boolean {
  if (type.startsWith('text/')) return !binary.has(end) || textual.has(end);
  const [, ends] = kinds.find(([types]) => types.test(type)) ?? [];
  return ends === undefined || ends.split(' ').includes(end);
}
