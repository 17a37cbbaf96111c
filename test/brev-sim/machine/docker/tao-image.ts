/** What the TAO image has as its entrypoint: it greets and runs the rest of the words. */
export const TAO_ENTRYPOINT = '/opt/nvidia/nvidia_entrypoint.sh';

export function isTaoImage(image: string): boolean {
  return image.includes('tao-toolkit');
}
