declare module 'planer' {
  const planer: { extractFrom(message: string, contentType: 'text/plain'): string };
  export default planer;
}
