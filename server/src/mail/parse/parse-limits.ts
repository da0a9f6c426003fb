/** The limits of what is read from one mail. */
export const parseLimits = {
  bodyBytesMax: 5 * 1_048_576,
  subjectLengthMax: 2_000,
  nameLengthMax: 255,
  addressLengthMax: 320,
  /** The number of addresses of each field, and of all their characters. */
  addressesMax: 2_000,
  addressCharactersMax: 65_536,
  inReplyToMax: 100,
  /** The first one and the last ones are kept. */
  referencesMax: 500,
  idLengthMax: 995,
  mimeTypeLengthMax: 127,
  headerBytesMax: 4 * 1_048_576,
  /** The number of lines that can begin a field. Fewer fields than that are kept. */
  headerStartsMax: 20_000,
  headerFieldsMax: 2_000,
  headerFieldBytesMax: 131_072,
  /** No honest author writes more. A longer From names nobody. */
  fromBytesMax: 4_096,
} as const;
