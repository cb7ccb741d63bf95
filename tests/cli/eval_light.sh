# `tycho eval` of the models of light and cameras: columns, one known row each, and what it says to wrong input.
. "$(dirname "$0")/lib.sh"

# row MODEL HEADER ROW WANT: what the output starts with, | for the ends of lines
row() {
    local got
    got=$(printf '%s\n%s\n' "$2" "$3" | $TYCHO eval "$1" 2>"$work/err" | tr '\n' '|')
    case "$got" in
    "$4"*) ok ;;
    *) bad "$1: got '$got', want '$4' $(cat "$work/err")" ;;
    esac
}
say() { printf '%s\n%s\n' "$2" "$3" >"$work/in"; refuse "$1 $3" "$4" sh -c "$TYCHO eval $1 <'$work/in'"; }

row brdf id,name,albedo,i_deg,e_deg a,lambert,0,10,20 'id,brdf|a,0'
row hapke w,b,c,i_deg,e_deg 0,0,0,0,0 'r,brdf,radf,g_deg|0,0,0,0'
row camera_project model,width,height,hfov_deg,x,y,z pinhole,100,50,90,1,0,1 'u,v,ok|100,25,1'
row camera_project model,width,height,hfov_deg,x,y,z fisheye,100,50,180,0,0,1 'u,v,ok|50,25,1'
row camera_ray model,width,height,hfov_deg,u,v pinhole,100,50,90,50,25 'o_x,o_y,o_z,d_x,d_y,d_z,ok|0,0,0,0,0,1,1'
row exposure radiance,crf,a,b,bits 0,linear,1,5000,12 'electrons,dn,dn_sigma|0,4095,0'
row exposure radiance,crf,a,b,gamma,bits,dark_e_s,t_s,iso 0,gamma,2,1,3,16,16,1,4 'electrons,dn,dn_sigma|0,433,77.9' # 2 log2(64)^3 + 1

say hapke w,b,c,i_deg,e_deg 1.5,0,0,0,0 'line 2: w is 1.5, but takes 0 to 1'
say hapke w,b,c,i_deg,e_deg 0.5,0,0,95,0 'i_deg is 95, but takes 0 to 90'
say hapke w,b,c,i_deg,e_deg,h 0.5,0,0,5,0,99 "h is '99', but takes 81 or 02"
say brdf name,i_deg,e_deg velvet,0,0 "name is 'velvet', but takes lambert"
say brdf name,roughness,i_deg,e_deg principled,2,0,0 'roughness is 2, but takes 0 to 1'
say camera_project model,x,y,z mirror,0,0,1 "model is 'mirror', but takes pinhole"
say camera_project model,x,y,z cahv,0,0,1 'a, h and v lie in one plane'
say camera_ray model,hfov_deg,u,v fov,130,0,0 'hfov_deg is 130, but fov takes'
say camera_ray model,mtype,a_z,h_x,v_y,o_z,u,v cahvore,7,1,100,100,1,0,0 'mtype is 7, but takes 1'
say exposure radiance,crf 1,film "crf is 'film', but takes gamma, sigmoid or linear"
say exposure radiance,bits 1,40 'bits is 40, but takes 1 to 32'
say exposure radiance -1 'radiance is -1, but takes 0 or more'
finish
